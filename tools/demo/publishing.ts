// Acme's two status pages and their published incidents.
type Update = { status: string; message: string; minutesAgo: number }
export type Published = {
  title: string
  impact: 'MINOR' | 'MAJOR' | 'CRITICAL'
  startedMinutesAgo: number
  affects: readonly string[]
  state: 'DEGRADED' | 'PARTIAL_OUTAGE' | 'MAJOR_OUTAGE'
  /** Oldest first. */
  updates: readonly Update[]
}

const DAY = 1440

type Shown = { name: string; monitor?: string }
type Section = { name: string; components: readonly Shown[] }

const SECTIONS: readonly Section[] = [
  {
    name: 'Shop',
    components: [
      { name: 'Website', monitor: 'Website' },
      { name: 'Shop', monitor: 'Shop' },
      { name: 'Checkout', monitor: 'Checkout' },
      { name: 'Payments', monitor: 'Payments gateway' },
      { name: 'Images', monitor: 'Image delivery' },
    ],
  },
  {
    name: 'Accounts',
    components: [
      { name: 'Sign-in', monitor: 'Sign-in' },
      { name: 'Your account', monitor: 'Account service' },
    ],
  },
  {
    name: 'For developers',
    components: [
      { name: 'API', monitor: 'Public API' },
      { name: 'Search', monitor: 'Search API' },
      { name: 'Documentation', monitor: 'Documentation' },
    ],
  },
  {
    name: 'Letters',
    components: [
      { name: 'Newsletter', monitor: 'Newsletter queue' },
      { name: 'Printed catalogue' },
    ],
  },
]
const PARTNER_SECTIONS: readonly Section[] = [
  {
    name: 'Interfaces',
    components: [
      { name: 'Partner API', monitor: 'Partner API' },
      { name: 'Invoices', monitor: 'Invoices as PDF' },
    ],
  },
]

export function listPages(idOf: (monitor: string) => string) {
  const toSections = (sections: readonly Section[]) =>
    sections.map(({ name, components }) => ({
      name,
      components: components.map((shown) => ({
        name: shown.name,
        ...(shown.monitor && { monitorId: idOf(shown.monitor) }),
      })),
    }))
  return [
    {
      name: 'Acme',
      slug: 'acme',
      description: 'How our shop, our API and everything around them are doing.',
      timezone: 'Europe/Berlin',
      published: true,
      showResponseTime: true,
      supportUrl: 'https://help.acme.example/',
      sections: toSections(SECTIONS),
    },
    {
      name: 'Acme for partners',
      slug: 'acme-partners',
      timezone: 'Europe/London',
      published: true,
      theme: 'DARK',
      accentColor: '#0f766e',
      sections: toSections(PARTNER_SECTIONS),
    },
  ]
}

export const PUBLISHED: readonly Published[] = [
  {
    title: 'Orders cannot be completed',
    impact: 'MAJOR',
    startedMinutesAgo: 14,
    affects: ['Checkout'],
    state: 'MAJOR_OUTAGE',
    updates: [
      {
        status: 'INVESTIGATING',
        message: 'Orders end with an error since a few minutes. We are looking into it.',
        minutesAgo: 11,
      },
      {
        status: 'IDENTIFIED',
        message:
          'A release of this morning is the cause and is being rolled back.\n\n**What you can do:** your cart is kept; try again in half an hour.',
        minutesAgo: 6,
      },
    ],
  },
  {
    title: 'Payments by card fail',
    impact: 'CRITICAL',
    startedMinutesAgo: 3 * DAY + 190,
    affects: ['Shop', 'Checkout', 'Payments'],
    state: 'MAJOR_OUTAGE',
    updates: [
      {
        status: 'INVESTIGATING',
        message: 'Payments by card are refused. Other ways to pay work.',
        minutesAgo: 3 * DAY + 182,
      },
      {
        status: 'MONITORING',
        message: 'Our payment provider has repaired its network. We keep watching.',
        minutesAgo: 3 * DAY + 170,
      },
      {
        status: 'RESOLVED',
        message: 'From 08:12 to 08:36 no card was accepted. Nothing was charged twice.',
        minutesAgo: 3 * DAY + 140,
      },
    ],
  },
  {
    title: 'Sign-in was slow and failed for some',
    impact: 'MINOR',
    startedMinutesAgo: 2 * DAY + 400,
    affects: ['Sign-in'],
    state: 'PARTIAL_OUTAGE',
    updates: [
      {
        status: 'INVESTIGATING',
        message: 'Some people cannot sign in. We are looking into it.',
        minutesAgo: 2 * DAY + 396,
      },
      {
        status: 'RESOLVED',
        message: 'The store of sessions failed over to its second machine. All is well again.',
        minutesAgo: 2 * DAY + 380,
      },
    ],
  },
]

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
    name: 'Messaging',
    components: [{ name: 'Newsletter', monitor: 'Newsletter queue' }, { name: 'Print catalog' }],
  },
]
const PARTNER_SECTIONS: readonly Section[] = [
  {
    name: 'Partner services',
    components: [
      { name: 'Partner API', monitor: 'Partner API' },
      { name: 'Invoices', monitor: 'PDF invoices' },
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
      description: 'Current status of our shop, our API and the services behind them.',
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
    title: 'Orders are failing',
    impact: 'MAJOR',
    startedMinutesAgo: 14,
    affects: ['Checkout'],
    state: 'MAJOR_OUTAGE',
    updates: [
      {
        status: 'INVESTIGATING',
        message: 'Orders have been failing for a few minutes. We are investigating.',
        minutesAgo: 11,
      },
      {
        status: 'IDENTIFIED',
        message:
          "This morning's release caused it. We're rolling it back.\n\n**What you can do:** your cart is saved. Try again in half an hour.",
        minutesAgo: 6,
      },
    ],
  },
  {
    title: 'Card payments are failing',
    impact: 'CRITICAL',
    startedMinutesAgo: 3 * DAY + 190,
    affects: ['Shop', 'Checkout', 'Payments'],
    state: 'MAJOR_OUTAGE',
    updates: [
      {
        status: 'INVESTIGATING',
        message: 'Card payments are being declined. Other payment methods work.',
        minutesAgo: 3 * DAY + 182,
      },
      {
        status: 'MONITORING',
        message: 'Our payment provider has fixed its network. We are monitoring the recovery.',
        minutesAgo: 3 * DAY + 170,
      },
      {
        status: 'RESOLVED',
        message: 'Card payments were declined from 08:12 to 08:36. Nothing was charged twice.',
        minutesAgo: 3 * DAY + 140,
      },
    ],
  },
  {
    title: 'Some sign-ins are failing',
    impact: 'MINOR',
    startedMinutesAgo: 2 * DAY + 400,
    affects: ['Sign-in'],
    state: 'PARTIAL_OUTAGE',
    updates: [
      {
        status: 'INVESTIGATING',
        message: "Some people can't sign in. We are investigating.",
        minutesAgo: 2 * DAY + 396,
      },
      {
        status: 'RESOLVED',
        message: 'Our session store failed over to its replica. Everything is back to normal.',
        minutesAgo: 2 * DAY + 380,
      },
    ],
  },
]

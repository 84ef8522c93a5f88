// The page of a company with twenty components, in each of its four states.
import type { SeedComponent, SeedIncident, SeedPage, SeedSection, State } from './world.ts'

type Condition = 'operational' | 'degraded' | 'outage' | 'maintenance'

const DAY = 1440
const plannedWork = [{ daysAgo: 43, minutes: 50 }]
const down = (daysAgo: number, minutes: number) => ({ daysAgo, minutes, state: 'DOWN' as const })
const slow = (daysAgo: number, minutes: number) => ({
  daysAgo,
  minutes,
  state: 'DEGRADED' as const,
})

const CORE: SeedComponent[] = [
  { name: 'API', windows: plannedWork, disruptions: [slow(21, 90), down(1, 21)] },
  { name: 'Website', windows: plannedWork },
  {
    name: 'Sign-in and single sign-on',
    windows: plannedWork,
    disruptions: [slow(31, 40), down(2, 18)],
  },
  { name: 'Dashboard', windows: plannedWork, disruptions: [slow(70, 33)] },
  { name: 'Search', windows: plannedWork, disruptions: [slow(1, 55)] },
]
const PAYMENTS: SeedComponent[] = [
  { name: 'Checkout', windows: plannedWork, disruptions: [down(66, 75), slow(21, 25)] },
  { name: 'Card payments', windows: plannedWork },
  { name: 'SEPA direct debit', windows: plannedWork, disruptions: [slow(12, 90), slow(11, 35)] },
  { name: 'Payouts', windows: plannedWork },
  { name: 'بوابة الدفع – الرياض', disruptions: [slow(52, 30), down(18, 41), down(17, 30)] },
]
const DATA: SeedComponent[] = [
  { name: 'Webhooks', windows: plannedWork, disruptions: [slow(5, 72)] },
  { name: 'Exports and scheduled reports', disruptions: [slow(26, 20)] },
  { name: 'E-mail delivery', disruptions: [down(77, 90)] },
  { name: 'File storage, eu-central', sinceDays: 47.5 },
]
const INTEGRATIONS: SeedComponent[] = [
  { name: 'Slack' },
  { name: 'Microsoft Teams' },
  { name: 'Salesforce' },
  { name: 'SAP S/4HANA', disruptions: [down(11, 34)] },
  { name: 'HubSpot' },
  { name: 'Zapier', disruptions: [down(61, 80)] },
]

const over = (minutesAgo: number, message: string) => [
  { status: 'RESOLVED', message, minutesAgo },
  { status: 'INVESTIGATING', message: 'We are looking into it.', minutesAgo: minutesAgo + 15 },
]
const PAST: SeedIncident[] = [
  {
    title: 'API unreachable',
    impact: 'MAJOR',
    startedMinutesAgo: DAY,
    minutes: 21,
    affects: { API: 'MAJOR_OUTAGE' },
    updates: over(
      DAY - 21,
      'From 20:40 to 21:01 CET one of our two load balancers refused connections. It was replaced.',
    ),
  },
  {
    title: 'Login errors for customers with single sign-on',
    impact: 'MAJOR',
    startedMinutesAgo: 2 * DAY,
    minutes: 18,
    affects: { 'Sign-in and single sign-on': 'MAJOR_OUTAGE' },
    updates: over(
      2 * DAY - 18,
      'A certificate of the identity provider was rotated a day early. We now read both certificates.',
    ),
  },
  {
    title: 'Webhooks delivered up to 12 minutes late',
    startedMinutesAgo: 5 * DAY,
    minutes: 72,
    affects: { Webhooks: 'DEGRADED' },
    updates: over(
      5 * DAY - 72,
      'A queue worker ran out of memory. All events were delivered in order; none was lost.',
    ),
  },
  {
    title: 'SEPA direct debit: confirmations delayed',
    startedMinutesAgo: 11 * DAY,
    minutes: 125,
    affects: { 'SEPA direct debit': 'DEGRADED' },
    updates: over(
      11 * DAY - 125,
      'The bank’s gateway answered slowly. Payments were taken once and on the right day.',
    ),
  },
  {
    title: 'SAP S/4HANA: invoices waited for approval',
    startedMinutesAgo: 11 * DAY - 60,
    minutes: 34,
    affects: { 'SAP S/4HANA': 'MAJOR_OUTAGE' },
  },
  {
    title: 'Payment gateway in Riyadh unreachable',
    impact: 'MAJOR',
    startedMinutesAgo: 17 * DAY,
    minutes: 41,
    affects: { 'بوابة الدفع – الرياض': 'MAJOR_OUTAGE' },
    updates: over(
      17 * DAY - 41,
      'Our network provider lost a route. Traffic goes over a second provider since then.',
    ),
  },
]

const SLOW: SeedIncident = {
  title: 'API responses are slow',
  startedMinutesAgo: 29,
  affects: { API: 'DEGRADED', Search: 'DEGRADED' },
  updates: [
    {
      status: 'MONITORING',
      message:
        'A fix is deployed and response times are falling. We keep watching until they have been normal for 30 minutes. No requests were lost.',
      minutesAgo: 9,
    },
    {
      status: 'IDENTIFIED',
      message:
        'A database index was rebuilt after this morning’s release and slowed down every list request. We are putting the old index back.\n\n**What you can do:** requests that time out can be sent again with the same idempotency key; they run once.',
      minutesAgo: 15,
    },
    {
      status: 'INVESTIGATING',
      message:
        'Answers of the API take about 800 ms instead of 120 ms. Searches are slow too. Nothing is lost, and payments are not affected.',
      minutesAgo: 26,
    },
  ],
}
const OUTAGE: SeedIncident = {
  title: 'Checkout, sign-in and the API are down',
  impact: 'CRITICAL',
  startedMinutesAgo: 4,
  affects: { API: 'MAJOR_OUTAGE', Checkout: 'MAJOR_OUTAGE' },
  updates: [
    {
      status: 'IDENTIFIED',
      message:
        'One of our two data centres lost power. We are moving traffic to the other one. Payments already accepted are safe and will be confirmed once we are back.',
      minutesAgo: 1,
    },
    { status: 'INVESTIGATING', message: 'We are looking into it.', minutesAgo: 3 },
  ],
}

const STATES: Readonly<Record<Condition, Readonly<Record<string, State>>>> = {
  operational: {},
  maintenance: {},
  degraded: { API: 'DEGRADED', Search: 'DEGRADED' },
  outage: Object.fromEntries(
    [...CORE.slice(0, 4), ...PAYMENTS].map(({ name }) => [name, 'DOWN' as const]),
  ),
}

const LATE: SeedIncident = {
  title: 'Exports are late',
  impact: 'MAJOR',
  startedMinutesAgo: 12,
  affects: { 'Exports and scheduled reports': 'PARTIAL_OUTAGE' },
  updates: [
    { status: 'IDENTIFIED', message: 'A **worker** is stuck. We restart it.', minutesAgo: 5 },
  ],
}

/** Two open incidents at once. */
export function severalPage(slug: string): SeedPage {
  const page = acmePage(slug, 'degraded')
  return { ...page, incidents: [LATE, ...(page.incidents ?? [])] }
}

export function acmePage(slug: string, condition: Condition): SeedPage {
  const states = STATES[condition]
  const minutes = condition === 'outage' ? 4 : 29
  const withState = (components: readonly SeedComponent[]): SeedComponent[] =>
    components.map((component) => {
      const state = states[component.name ?? '']
      return state === undefined ? component : { ...component, state, stateMinutes: minutes }
    })
  const sections: SeedSection[] = [
    { name: 'Core platform', components: withState(CORE) },
    { name: 'Payments', components: withState(PAYMENTS) },
    { name: 'Data and delivery', components: withState(DATA) },
    { name: 'Integrations', components: withState(INTEGRATIONS), collapsed: true },
  ]
  const open = { degraded: [SLOW], outage: [OUTAGE], operational: [], maintenance: [] }[condition]
  const planned = {
    name: 'Database upgrade',
    description: 'Reads keep working; writes may pause for up to 4 minutes.',
    startsInMinutes: condition === 'maintenance' ? -31 : 2140,
    minutes: 60,
    covers: PAYMENTS.slice(0, 4).map(({ name }) => name ?? ''),
  }
  return { slug, name: 'Acme', sections, incidents: [...open, ...PAST], windows: [planned] }
}

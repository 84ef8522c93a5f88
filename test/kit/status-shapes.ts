// The shapes of status pages and published incidents, and the invariants between their fields.
import assert from 'node:assert/strict'
import {
  type Check,
  exactly,
  flag,
  id,
  listOf,
  oneOf,
  orNull,
  type Shape,
  text,
  time,
  whole,
} from './exact.ts'

export type Component = {
  id: string
  name: string
  description: string | null
  monitorId: string | null
  state: string
}
type Section = {
  id: string
  name: string | null
  collapsed: boolean
  components: Component[]
}
export type StatusPage = {
  id: string
  name: string
  slug: string
  url: string
  description: string | null
  published: boolean
  customDomain: string | null
  customDomainStatus: string
  passwordProtected: boolean
  theme: string
  accentColor: string | null
  logoUrl: string | null
  faviconUrl: string | null
  homepageUrl: string | null
  supportUrl: string | null
  locale: string
  timezone: string
  historyDays: number
  showUptime: boolean
  showResponseTime: boolean
  allowIndexing: boolean
  subscribersEnabled: boolean
  sections: Section[]
  state: string
  createdAt: string
  updatedAt: string
}

type Affected = { componentId: string; state: string }
export type StatusUpdate = {
  id: string
  status: string
  message: string
  components: Affected[]
  notifiedSubscribers: boolean
  createdAt: string
}
export type StatusIncident = {
  id: string
  title: string
  status: string
  impact: string
  statusPageIds: string[]
  components: Affected[]
  incidentId: string | null
  startedAt: string
  resolvedAt: string | null
  updates: StatusUpdate[]
  createdAt: string
  updatedAt: string
}

const PATH = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
// biome-ignore format: many short values read better side by side
const componentState = oneOf(
  'OPERATIONAL', 'DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE', 'MAINTENANCE', 'UNKNOWN',
)
const component = exactly({
  id: id('cmp'),
  name: text,
  description: orNull(text),
  monitorId: orNull(id('mon')),
  state: componentState,
})
const pageShape: Shape = {
  id: id('sp'),
  name: text,
  slug: text,
  url: text,
  description: orNull(text),
  published: flag,
  customDomain: orNull(text),
  customDomainStatus: oneOf('NONE', 'PENDING', 'ACTIVE', 'FAILED'),
  passwordProtected: flag,
  theme: oneOf('SYSTEM', 'LIGHT', 'DARK'),
  accentColor: orNull(text),
  logoUrl: orNull(text),
  faviconUrl: orNull(text),
  homepageUrl: orNull(text),
  supportUrl: orNull(text),
  locale: oneOf('en', 'de', 'fr', 'es', 'ja'),
  timezone: text,
  historyDays: whole,
  showUptime: flag,
  showResponseTime: flag,
  allowIndexing: flag,
  subscribersEnabled: flag,
  sections: listOf(
    exactly({
      id: id('sec'),
      name: orNull(text),
      collapsed: flag,
      components: listOf(component),
    }),
  ),
  state: componentState,
  createdAt: time,
  updatedAt: time,
}

/** Never includes a password. */
export const assertStatusPage: Check = (value, at) => {
  exactly(pageShape)(value, at)
  const page = value as StatusPage
  assert.match(page.slug, PATH, `${at}.slug`)
  assert.equal(page.customDomain === null, page.customDomainStatus === 'NONE', `${at}.customDomain`)
  const isActive = page.customDomainStatus === 'ACTIVE'
  const end = isActive ? `https://${page.customDomain}` : `/status/${page.slug}`
  assert.ok(page.url.endsWith(end), `${at}.url is ${page.url}`)
  const ids = page.sections.flatMap((section) => [
    section.id,
    ...section.components.map((one) => one.id),
  ])
  assert.equal(new Set(ids).size, ids.length, `${at}.sections: an id stands twice`)
}

const affected = exactly({
  componentId: id('cmp'),
  state: oneOf('OPERATIONAL', 'DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE'),
})
const status = oneOf('INVESTIGATING', 'IDENTIFIED', 'MONITORING', 'RESOLVED')
const update = exactly({
  id: id('siu'),
  status,
  message: text,
  components: listOf(affected),
  notifiedSubscribers: flag,
  createdAt: time,
})
const incidentShape: Shape = {
  id: id('sin'),
  title: text,
  status,
  impact: oneOf('NONE', 'MINOR', 'MAJOR', 'CRITICAL'),
  statusPageIds: listOf(id('sp')),
  components: listOf(affected),
  incidentId: orNull(id('inc')),
  startedAt: time,
  resolvedAt: orNull(time),
  updates: listOf(update),
  createdAt: time,
  updatedAt: time,
}

export const assertStatusIncident: Check = (value, at) => {
  exactly(incidentShape)(value, at)
  const incident = value as StatusIncident
  const isResolved = incident.status === 'RESOLVED'
  assert.equal(incident.resolvedAt !== null, isResolved, `${at}.resolvedAt`)
  assert.ok((incident.resolvedAt ?? '9') >= incident.startedAt, `${at}.resolvedAt is too early`)
  assert.ok(incident.statusPageIds.length > 0, `${at} is on no page`)
  if (isResolved)
    for (const { state } of incident.components) assert.equal(state, 'OPERATIONAL', at)
  const times = incident.updates.map(({ createdAt }) => createdAt)
  assert.deepEqual(times, times.toSorted().toReversed(), `${at}.updates are newest first`)
}

type ShapedResponse = { status: number; text: string; json: unknown }

// Safe because the client has already validated the body of every 2xx against its exact shape.
export const toPage = (answer: ShapedResponse): StatusPage => success(answer) as StatusPage
export const toIncident = (answer: ShapedResponse): StatusIncident =>
  success(answer) as StatusIncident
export const toList = <Item>(answer: ShapedResponse) =>
  success(answer) as {
    data: Item[]
    pagination: { limit: number; offset: number; total: number }
  }

function success({ status: code, text: body, json }: ShapedResponse): unknown {
  assert.ok(code < 300, `a success was expected, but it is ${code} ${body}`)
  return json
}

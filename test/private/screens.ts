// Shared by tests of the dashboard's reads: an organization with people, and typed responses.
import assert from 'node:assert/strict'
import type { Static } from 'typebox'
import type * as checks from '../../src/contract/private/check-screens.ts'
import type * as deliveries from '../../src/contract/private/delivery-screens.ts'
import type * as incidents from '../../src/contract/private/incident-screens.ts'
import type * as monitors from '../../src/contract/private/monitor-screens.ts'
import type * as search from '../../src/contract/private/search.ts'
import type * as windows from '../../src/contract/private/window-screens.ts'
import type { Visitor } from '../kit/private-client.ts'
import type { Monitor } from '../kit/shapes.ts'
import type { AppFixture } from './fixture.ts'

type Of<O extends { reply: { body: unknown } }> = Static<O['reply']['body'] & {}>
type Responses = {
  overview: Of<typeof monitors.getOverview>
  monitors: Of<typeof monitors.listMonitorRows>
  monitor: Of<typeof monitors.getMonitorScreen>
  chart: Of<typeof checks.getResponseTimes>
  checks: Of<typeof checks.listChecks>
  check: Of<typeof checks.getCheck>
  incidents: Of<typeof incidents.listIncidentRows>
  incidentDays: Of<typeof incidents.listIncidentDays>
  incident: Of<typeof incidents.getIncidentScreen>
  webhooks: Of<typeof deliveries.listWebhookRows>
  deliveries: Of<typeof deliveries.listDeliveryRows>
  exchange: Of<typeof deliveries.getDeliveryExchange>
  messages: Of<typeof deliveries.listAlertMessages>
  calendar: Of<typeof windows.getCalendar>
  search: Of<typeof search.searchEverything>
}

export type Team = {
  orgId: string
  reader: Visitor
  member: Visitor
  owner: Visitor
  /** `path` is relative to the organization; expects 200 in the contract's shape. */
  read<Name extends keyof Responses>(name: Name, path: string): Promise<Responses[Name]>
  createMonitor(fields: Record<string, unknown>): Promise<Monitor>
}

/** A separate organization for one test, with a person in each role. */
export async function createTeam(fixture: AppFixture): Promise<Team> {
  const { id: orgId } = await fixture.createOrganization()
  const [reader, member, owner] = await Promise.all(
    (['READ_ONLY', 'MEMBER', 'OWNER'] as const).map(
      async (role) => (await fixture.join(orgId, role)).visitor,
    ),
  )
  assert.ok(reader && member && owner)
  return {
    orgId,
    reader,
    member,
    owner,
    async read(_name, path) {
      const answer = await reader.get(`/organizations/${orgId}${path}`)
      assert.equal(answer.status, 200, answer.text)
      // Safe because the visitor validated it against the contract.
      return answer.json as never
    },
    async createMonitor(fields) {
      const answer = await owner.post(`/organizations/${orgId}/monitors`, fields)
      assert.equal(answer.status, 201, answer.text)
      return answer.json as Monitor
    },
  }
}

export const ago = (ms: number): Date => new Date(Date.now() - ms)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A file's lines as cells; none of ours contains a line break inside a cell. */
export function readCsv(text: string): string[][] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, -1)
        .map(([, cell = '']) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')),
    )
}

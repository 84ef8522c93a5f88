// Nothing of another organization can be found through one's own, by any id or in any list.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seedResults } from '../kit/history.ts'
import { breakMonitor } from '../kit/seed.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { APP_OPERATIONS } from './operations.ts'
import { ago, createTeam, HOUR, type Team } from './screens.ts'

let fixture: AppFixture
let mine: Team
let ids: Record<string, string>
const SECRET = 'theirs-alone'

before(async () => {
  fixture = await startAppFixture()
  mine = await createTeam(fixture)
  const theirs = await createTeam(fixture)
  const base = `/organizations/${theirs.orgId}`
  const monitor = await theirs.createMonitor({
    name: SECRET,
    type: 'HTTP',
    url: `https://${SECRET}.example.com/`,
  })
  const at = ago(HOUR)
  await seedResults(fixture.db, monitor.id, [{ at }])
  const incidentId = await breakMonitor(fixture.db, theirs.orgId, monitor.id)
  const endpoint = await theirs.owner.post(`${base}/webhook-endpoints`, {
    url: `https://${SECRET}.example.com/in`,
  })
  const endpointId = (endpoint.json as { id: string }).id
  const delivery = await theirs.owner.post(`${base}/webhook-endpoints/${endpointId}/test`)
  await theirs.owner.post(`${base}/maintenance-windows`, {
    name: SECRET,
    startsAt: ago(HOUR).toISOString(),
    endsAt: new Date(Date.now() + HOUR).toISOString(),
    allMonitors: true,
  })
  await theirs.owner.post(`${base}/status-pages`, { name: SECRET })
  const deliveryId = (delivery.json as { id: string }).id
  ids = { monitorId: monitor.id, incidentId, endpointId, deliveryId, at: at.toISOString() }
})
after(() => fixture.stop())

const reads = APP_OPERATIONS.filter(({ path }) =>
  /\/(overview|exports|search|response-times|checks|notes)(\/|$|\{)/.test(path),
)

test('the screens of the contract are all asked', () => {
  assert.ok(reads.length >= 19, String(reads.length))
})

for (const { id, method, path } of reads)
  test(`${id}: another organization's things are not there`, async () => {
    const query = new URLSearchParams({
      from: ago(2 * HOUR).toISOString(),
      to: new Date(Date.now() + HOUR).toISOString(),
      ...(path.endsWith('/search') && { q: SECRET }),
    })
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const target = path
      .slice('/app/api'.length)
      .replace('{organizationId}', mine.orgId)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')
    const body = method === 'GET' ? {} : { body: { text: 'note' } }
    const answer = await mine.owner.request(method, `${target}?${query}`, body)
    const named = names.filter((name) => name !== 'organizationId')
    assert.equal(answer.status, named.length > 0 ? 404 : 200, answer.text)
    assert.ok(!answer.text.includes(SECRET), answer.text)
  })

test("a filter by another organization's id finds nothing", async () => {
  const { monitorId, endpointId, incidentId } = ids
  const lists = [
    `/overview/incidents?monitorId=${monitorId}`,
    `/overview/webhook-deliveries?endpointId=${endpointId}`,
    `/overview/alert-messages?incidentId=${incidentId}`,
    `/overview/calendar?from=${ago(HOUR).toISOString()}&to=${new Date().toISOString()}&monitorId=${monitorId}`,
  ]
  for (const path of lists) {
    const answer = await mine.owner.get(`/organizations/${mine.orgId}${path}`)
    assert.deepEqual((answer.json as { data: unknown[] }).data, [], path)
  }
})

// What real checks leave for the dashboard: a check before saving, a log with phases, an incident by region.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Listening, listen } from '../kit/targets/listen.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

let fixture: AppFixture
let team: Team
let target: Listening
let status = 200

before(async () => {
  const server = createServer((_, response) => response.writeHead(status).end('all is well'))
  target = await listen(server)
  fixture = await startAppFixture({}, { own: true })
  await fixture.stack.start('scheduler')
  await fixture.stack.start('probe')
  team = await createTeam(fixture)
  await fixture.db.run('update organizations set private_targets = true')
})
after(async () => {
  await fixture.stop()
  await target.close()
})

const draft = () => ({
  name: 'Shop',
  type: 'HTTP',
  url: `http://127.0.0.1:${target.port}/`,
  intervalSeconds: 86_400,
  timeoutSeconds: 5,
})
const tries = (body: object) =>
  team.member.post(`/organizations/${team.orgId}/monitor-trials`, body)
type Trial = { result: string; check: { httpStatus: number; cause: string; timings: object } }

test('tryMonitor: one check by the rules of createMonitor, and nothing is kept', async () => {
  status = 200
  const good = await tries(draft())
  assert.equal(good.status, 200, good.text)
  const { result, check } = good.json as Trial
  assert.deepEqual([result, check.httpStatus], ['OK', 200])
  assert.ok('connectMs' in check.timings)

  status = 500
  const bad = (await tries({ ...draft(), expectedStatus: [200] })).json as Trial
  assert.deepEqual([bad.result, bad.check.cause], ['FAILED', 'HTTP 500, expected 200'])
  assert.equal(await fixture.db.count('monitors', 'name = $1', ['Shop']), 0)
  assert.equal(await fixture.db.count('results', 'true', []), 0)

  const cron = await tries({ name: 'Job', type: 'CRON' })
  assert.deepEqual([cron.code, cron.paths], ['validation_error', ['type']])
  assert.deepEqual((await tries({ ...draft(), url: 'ftp://x' })).paths, ['url'])
})

test('tryMonitor 429: an organization has so many in a quarter of an hour', async () => {
  const other = await createTeam(fixture)
  await fixture.db.run(`update sign_in_windows set failures = 100 where subject like 'trial:%'`)
  const refused = await tries(draft())
  assert.equal(refused.code, 'rate_limited')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  const path = `/organizations/${other.orgId}/monitor-trials`
  assert.equal((await other.member.post(path, draft())).status, 200, 'others have their own')
})

async function firstCheckOf(monitorId: string): Promise<void> {
  for (let left = 200; left > 0; left--) {
    const { data } = await team.read('checks', `/monitors/${monitorId}/checks`)
    if (data.length > 0) return
    await delay(50)
  }
  assert.fail('it was never checked')
}

test('checks, their log and an incident are shown as they happened', async () => {
  status = 200
  const monitor = await team.createMonitor(draft())
  const check = () =>
    team.member.post(`/organizations/${team.orgId}/monitors/${monitor.id}/check`, {})
  // A new monitor is checked automatically: that result must not be mistaken for the one requested below.
  await firstCheckOf(monitor.id)
  assert.equal((await check()).status, 200)
  status = 503
  assert.equal((await check()).status, 200)

  const log = await team.read('checks', `/monitors/${monitor.id}/checks?failed=true`)
  const [failed] = log.data
  assert.ok(failed !== undefined && log.data.length === 1)
  assert.deepEqual([failed.httpStatus, failed.causeCode], [503, 'UNEXPECTED_STATUS'])
  assert.equal(typeof failed.timings?.connectMs, 'number')
  const all = await team.read('checks', `/monitors/${monitor.id}/checks`)
  const [, passed] = all.data
  assert.equal(passed?.verdict, 'PASSED')
  assert.equal(typeof passed?.timings?.firstByteMs, 'number')

  const one = await team.read('check', `/monitors/${monitor.id}/checks/${failed.at}`)
  assert.equal(one.evidence?.causeCode, 'UNEXPECTED_STATUS')
  assert.equal(one.evidence?.attempts.length, 2)

  const { data } = await team.read('monitors', '/overview/monitors')
  assert.deepEqual(
    data.map(({ state, openIncident }) => [state, openIncident?.id]),
    [['DOWN', failed.incidentId]],
  )
  const incident = await team.read('incident', `/overview/incidents/${failed.incidentId}`)
  assert.deepEqual(
    incident.timeline.map(({ type }) => type),
    ['FAILED', 'CONFIRMED', 'OPENED'],
  )
  assert.deepEqual(
    incident.regions.map(({ region, checks }) => [region, checks.at(-1)?.verdict]),
    [[failed.region, 'FAILED']],
  )
  const promised = await fixture.api
    .as(await fixture.createKey(team.orgId))
    .get(`/incidents/${incident.id}`)
  assert.equal(promised.status, 200, 'and the public form of it has no region at its attempts')

  status = 200
  assert.equal((await check()).status, 200)
  const over = await team.read('incident', `/overview/incidents/${failed.incidentId}`)
  assert.equal(over.resolution, 'RECOVERED')
  assert.equal(over.timeline.at(-1)?.type, 'RESOLVED')
})

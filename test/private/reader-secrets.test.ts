// Read-only members see no credentials of monitors: not the heartbeat URL, which can take a monitor down, and neither
// header values nor the body, which sign in to the target.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startAppFixture } from './fixture.ts'
import { APP_OPERATIONS, pathOf } from './operations.ts'
import { createTeam } from './screens.ts'

const fixture = await startAppFixture()
after(() => fixture.stop())

const HEADER = 'Bearer canary-in-a-header'
const BODY = '{"password":"canary-in-a-body"}'

const team = await createTeam(fixture)
const job = await team.createMonitor({ name: 'Job', type: 'CRON', expectedPeriodSec: 300 })
const site = await team.createMonitor({
  name: 'Site',
  type: 'HTTP',
  url: 'https://site.example.com/',
  method: 'POST',
  requestHeaders: { Authorization: HEADER, Accept: 'text/html' },
  requestBody: BODY,
})
const token = new URL(job.heartbeatUrl ?? '').pathname
const CANARIES = [token, 'canary-in-a-header', 'canary-in-a-body']
const base = `/organizations/${team.orgId}`

type Shown = {
  id: string
  heartbeatUrl: string | null
  requestHeaders: Record<string, string> | null
  requestBody: string | null
}

test('no operation that a READ_ONLY member may call shows a credential of a monitor', async () => {
  const open = APP_OPERATIONS.filter(
    ({ method, who, stream }) => method === 'GET' && who === 'READ_ONLY' && stream === undefined,
  )
  const paths = open.flatMap((operation) =>
    [job, site].flatMap(({ id }) => {
      const path = pathOf(operation, team.orgId).replace(/mon_[^/.]+/, id)
      return [path, `${path}?q=Site`, `${path}?q=Job`]
    }),
  )
  let read = 0
  for (const path of paths) {
    const { status, text } = await team.reader.get(path)
    if (status === 200) read += 1
    for (const canary of CANARIES) assert.ok(!text.includes(canary), `${path} shows ${canary}`)
  }
  assert.ok(read > 30, `only ${read} answers were read`)
})

test('listMonitors, getMonitor, getMonitorScreen: a READ_ONLY member sees which headers are sent, not their values', async () => {
  const list = (await team.reader.get(`${base}/monitors`)).json as { data: Shown[] }
  const one = (await team.reader.get(`${base}/monitors/${site.id}`)).json as Shown
  const screen = (await team.reader.get(`${base}/overview/monitors/${site.id}`)).json as {
    monitor: Shown
  }
  for (const shown of [list.data.find(({ id }) => id === site.id), one, screen.monitor]) {
    assert.deepEqual(shown?.requestHeaders, { Authorization: '***', Accept: '***' })
    assert.equal(shown.requestBody, null)
  }
  const heartbeat = (await team.reader.get(`${base}/monitors/${job.id}`)).json as Shown
  assert.equal(heartbeat.heartbeatUrl, null)
})

test('members, and API keys that may only read, see them as before', async () => {
  const key = await fixture.createKey(team.orgId, { access: 'READ_ONLY' })
  const byKey = fixture.api.as(key)
  for (const { id } of [job, site]) {
    const member = (await team.member.get(`${base}/monitors/${id}`)).json as Shown
    const seen = (await byKey.get(`/monitors/${id}`)).json as Shown
    assert.deepEqual(seen, member)
  }
  const shown = (await byKey.get(`/monitors/${site.id}`)).json as Shown
  assert.deepEqual([shown.requestHeaders?.['Authorization'], shown.requestBody], [HEADER, BODY])
  const listed = (await byKey.get('/monitors')).json as { data: Shown[] }
  assert.equal(listed.data.find(({ id }) => id === job.id)?.heartbeatUrl, job.heartbeatUrl)
})

// Changes in an organization are streamed as they happen, only to its members, and never twice.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import { addMonitors } from './crowd.ts'
import { type AppFixture, type Person, startAppFixture } from './fixture.ts'
import { type Follower, follow } from './follower.ts'
import { APP_OPERATIONS, pathOf } from './operations.ts'

const SOON_MS = 2_000
const HOPS = 8
const KILL_HOP = 4
// A message contains at most this many events; beyond that it only says what to reload.
const MOST_AT_ONCE = 100
const PACE_MS = 50
// As many as one message lists; each message then exceeds a slow reader's share.
const MONITORS_IN_MESSAGE = 250
const MESSAGES = 20
const STREAM_START = 'upvane-stream-start'
const JOB = { name: 'Job', type: 'CRON', expectedPeriodSec: 3600 }

let fixture: AppFixture
let path: string
let owner: { person: Person; visitor: Visitor }
/** Another organization's stream, open from start to end; it must receive no changes. */
let quiet: Follower

before(async () => {
  fixture = await startAppFixture({ LOG_LEVEL: 'info' })
  path = `/organizations/${fixture.orgId}`
  owner = await fixture.join(fixture.orgId, 'OWNER')
  const other = await fixture.createOrganization()
  const { visitor } = await fixture.join(other.id, 'READ_ONLY')
  quiet = await follow(visitor, other.id)
})
after(() => fixture.stop())

const followOwn = (lastEventId?: string) =>
  follow(owner.visitor, fixture.orgId, lastEventId === undefined ? {} : { lastEventId })

async function ready(follower: Follower): Promise<Follower> {
  assert.equal(follower.status, 200)
  await follower.until('ready', ({ messages }) => messages.some(({ name }) => name === 'ready'))
  return follower
}

async function createJob(visitor: Visitor, orgId = fixture.orgId): Promise<string> {
  const answer = await visitor.post(`/organizations/${orgId}/monitors`, JOB)
  assert.equal(answer.status, 201)
  return (answer.json as { id: string }).id
}

const hasEvent = (type: string, about: string) => (follower: Follower) =>
  follower.events.some((event) => event.type === type && event.about === about)

describe('streamChanges', { concurrency: true }, () => {
  test('begins with where to resume, and forbids caches to store it', async () => {
    const follower = await ready(await followOwn())
    const { headers } = follower
    assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store, no-transform')
    assert.equal(headers['x-accel-buffering'], 'no')
    assert.equal(headers['content-encoding'], undefined)
    assert.match(String(headers['x-request-id']), /^req_/)
    assert.ok((follower.retryMs ?? 0) >= 1000)
    assert.notEqual(follower.lastEventId, '')
    follower.close()
  })

  test('a page whose domain was found is streamed, although nobody did anything', async () => {
    const fields = { name: 'Acme', customDomain: `status-${Date.now()}.example.com` }
    const made = await owner.visitor.post(`${path}/status-pages`, fields)
    const { id } = made.json as { id: string }
    const follower = await ready(await followOwn())
    const hasPageChange = ({ changes }: Follower) =>
      changes.some(({ lists = [] }) => lists.includes('statusPages'))
    await fixture.db.run(`update status_pages set custom_domain_status = 'ACTIVE' where id = $1`, [
      toUuid(id),
    ])
    await follower.until('the page', hasPageChange)
    follower.close()
  })

  test('what the API changes is streamed within two seconds', async () => {
    const follower = await ready(await followOwn())
    const lags: number[] = []
    for (let round = 0; round < 3; round += 1) {
      const id = await createJob(owner.visitor)
      const answeredMs = Date.now()
      await follower.until('created', hasEvent('monitor.created', id))
      lags.push(Date.now() - answeredMs)
      await follower.until('its state', ({ changes }) =>
        changes.some(({ monitors = [] }) => monitors.some((monitor) => monitor.id === id)),
      )
    }
    // The median: a machine that is busy for a moment is not a fault of the stream.
    assert.ok((lags.toSorted((a, b) => a - b)[1] ?? 0) < SOON_MS, `${lags} ms`)
    follower.close()
  })

  test('what people do to keys, members and contacts names the list to ask for', async () => {
    const follower = await ready(await followOwn())
    const has = (list: string) => () =>
      follower.changes.some(({ lists = [] }) => lists.includes(list))
    assert.equal((await owner.visitor.post(`${path}/keys`, { name: 'Key' })).status, 201)
    await follower.until('keys', has('keys'))
    const { person } = await fixture.join(fixture.orgId, 'MEMBER')
    const role = { role: 'READ_ONLY' }
    assert.equal((await owner.visitor.patch(`${path}/members/${person.id}`, role)).status, 200)
    await follower.until('members', has('members'))
    assert.equal((await owner.visitor.patch(path, { name: 'Renamed' })).status, 200)
    await follower.until('organization', has('organization'))
    assert.doesNotMatch(follower.text, /uv_|@example|"Key"|Renamed/, 'no name, address or secret')
    follower.close()
  })

  test('an engine elsewhere finds an outage, and its end', async () => {
    let isUp = true
    const target = createServer((_request, response) => response.writeHead(isUp ? 200 : 500).end())
    target.listen(0, '127.0.0.1')
    await once(target, 'listening')
    const { port } = target.address() as AddressInfo
    const engine = await fixture.stack.start('start')
    const follower = await ready(await followOwn())
    try {
      const url = `http://127.0.0.1:${port}/`
      const fields = { name: 'Site', type: 'HTTP', url, intervalSeconds: 30, timeoutSeconds: 2 }
      const made = await owner.visitor.post(`${path}/monitors`, fields)
      const { id } = made.json as { id: string }
      const inState = (state: string) => () =>
        follower.changes.some(({ monitors = [] }) =>
          monitors.some((monitor) => monitor.id === id && monitor.state === state),
        )
      await follower.until('UP', inState('UP'), 20_000)
      isUp = false
      await check(id)
      await follower.until('DOWN', inState('DOWN'), 20_000)
      const opened = follower.events.find(({ type }) => type === 'incident.opened')
      assert.equal(opened?.monitorId, id)
      assert.ok(follower.changes.some(({ incidents = [] }) => incidents[0]?.id === opened?.about))
      const incident = `${path}/incidents/${opened?.about}`
      assert.equal((await owner.visitor.post(`${incident}/acknowledge`, {})).status, 200)
      await follower.until('acknowledged', ({ changes }) =>
        changes.some(({ incidents = [] }) =>
          incidents.some((each) => each.acknowledgedAt !== null),
        ),
      )
      isUp = true
      await check(id)
      await follower.until('resolved', hasEvent('incident.resolved', opened?.about ?? ''), 20_000)
      assert.ok(!follower.text.includes(url), 'no address')
    } finally {
      follower.close()
      await engine.stop()
      target.close()
    }
  })

  const check = (id: string) => owner.visitor.post(`${path}/monitors/${id}/check`, {})

  test('from process to process, one of them killed, each event is streamed exactly once', async () => {
    const { id, uuid } = await fixture.createOrganization()
    const { visitor } = await fixture.join(id, 'OWNER')
    const [second, victim] = await Promise.all([
      fixture.stack.start('api'),
      fixture.stack.start('api'),
    ])
    const followers = [await ready(await follow(visitor, id))]
    let isOver = false
    const writing = (async () => {
      const made: string[] = []
      while (!isOver && made.length < MOST_AT_ONCE) {
        made.push(await createJob(visitor, id))
        await delay(PACE_MS)
      }
      return made
    })()
    for (let hop = 0; hop < HOPS; hop += 1) {
      await delay(150 + hop * 90)
      const last = followers.at(-1)
      if (hop === KILL_HOP) await victim.kill()
      else last?.close()
      await last?.until('its end', (follower) => follower.isOver)
      // The follower before the kill is connected to the victim.
      const host = hop === KILL_HOP - 1 ? victim : hop % 2 === 0 ? second : fixture.service
      const { baseUrl } = host
      const lastEventId = last?.lastEventId ?? ''
      followers.push(await follow({ baseUrl, cookies: visitor.cookies }, id, { lastEventId }))
    }
    isOver = true
    const made = await writing
    assert.ok(made.length > HOPS)
    await followers.at(-1)?.until('the last one', hasEvent('monitor.created', made.at(-1) ?? ''))
    assert.ok(followers.every(({ messages }) => messages.every(({ name }) => name !== 'reset')))
    assert.ok(followers.filter(({ changes }) => changes.length > 0).length > 2)
    const received = followers.flatMap(({ events }) => events.map((event) => toUuid(event.id)))
    assert.equal(new Set(received).size, received.length, 'nothing twice')
    assert.equal(
      received.length,
      await fixture.db.count('events', 'org_id = $1', [uuid]),
      'nothing lost',
    )
    for (const follower of followers) follower.close()
    await second.stop()
  })

  test('a client that returns to a quiet organization gets nothing, and continues', async () => {
    const { id } = await fixture.createOrganization()
    const { visitor } = await fixture.join(id, 'READ_ONLY')
    const first = await ready(await follow(visitor, id))
    first.close()
    const again = await follow(visitor, id, { lastEventId: first.lastEventId })
    await again.until('its place', ({ lastEventId }) => lastEventId !== '')
    assert.deepEqual(again.messages, [])
    again.close()
  })

  test('what was missed too long ago, or never was an id, is answered with a reset', async () => {
    const short = await fixture.stack.start('api', { env: { STREAM_REPLAY_SECONDS: '1' } })
    const { cookies } = owner.visitor
    const first = await ready(await followOwn())
    first.close()
    await createJob(owner.visitor)
    await delay(1_200)
    const { lastEventId } = first
    const late = await follow({ baseUrl: short.baseUrl, cookies }, fixture.orgId, { lastEventId })
    await late.until('a message', ({ messages }) => messages.length > 0)
    assert.equal(late.messages[0]?.name, 'reset')
    // With a longer retention the same changes are replayed.
    const inTime = await followOwn(lastEventId)
    await inTime.until('a message', ({ messages }) => messages.length > 0)
    assert.equal(inTime.messages[0]?.name, 'changes')
    // From a database with far more transactions than this one.
    const [at = '', xmin = '', ...rest] = lastEventId.split('-')
    const ahead = [at, `${xmin}0000`, ...rest].join('-')
    const far = `${at}-1-zzzzzz`
    for (const strange of ['x', far, '0-0-0-0', "'; drop table events", ahead, '9'.repeat(6000)]) {
      const follower = await followOwn(strange)
      await follower.until('a message', ({ messages }) => messages.length > 0)
      assert.equal(follower.messages[0]?.name, 'reset', strange.slice(0, 40))
      follower.close()
    }
    // From there on everything is streamed.
    const id = await createJob(owner.visitor)
    await late.until('a change', hasEvent('monitor.created', id))
    for (const follower of [late, inTime]) follower.close()
    await short.stop()
  })

  test('a first stream starts where a read was, and misses nothing between the two', async () => {
    const { id } = await fixture.createOrganization()
    const { visitor } = await fixture.join(id, 'OWNER')
    const read = async () => {
      const list = await visitor.get(`/organizations/${id}/overview/monitors`)
      return list.headers[STREAM_START] ?? ''
    }
    const start = await read()
    assert.notEqual(start, '')
    const made = await createJob(visitor, id)
    const follower = await follow(visitor, id, { from: start })
    await follower.until('what came between', hasEvent('monitor.created', made))
    // Once a poll has found a change, a read no longer starts before it.
    const second = await createJob(visitor, id)
    await follower.until('a poll', hasEvent('monitor.created', second))
    const again = await follow(visitor, id, { from: await read() })
    const third = await createJob(visitor, id)
    await again.until('the third', hasEvent('monitor.created', third))
    for (const known of [made, second])
      assert.ok(!hasEvent('monitor.created', known)(again), 'what the read knew is not repeated')
    // A browser that comes back sends the id it received last, which is newer than its URL.
    const resumed = await follow(visitor, id, { from: start, lastEventId: again.lastEventId })
    await resumed.until('its place', ({ lastEventId }) => lastEventId !== '')
    assert.ok(!hasEvent('monitor.created', made)(resumed))
    for (const each of [follower, again, resumed]) each.close()

    const strange = await follow(visitor, id, { from: "'; drop table events" })
    await strange.until('a message', ({ messages }) => messages.length > 0)
    assert.equal(strange.messages[0]?.name, 'reset')
    strange.close()
    assert.equal((await follow(visitor, id, { from: '9'.repeat(1001) })).status, 400)
  })

  test('a write and an error carry no start of a stream', async () => {
    const made = await owner.visitor.post(`${path}/monitors`, JOB)
    assert.equal(made.headers[STREAM_START], undefined)
    const missing = await owner.visitor.get(`${path}/monitors/mon_none`)
    assert.equal(missing.status, 404)
    assert.equal(missing.headers[STREAM_START], undefined)
  })

  test('an organization gets nothing of another, also with its position', async () => {
    const other = await fixture.createOrganization()
    const { visitor } = await fixture.join(other.id, 'OWNER')
    const mine = await ready(await followOwn())
    const theirs = await ready(await follow(visitor, other.id))
    const ownId = await createJob(owner.visitor)
    const theirId = await createJob(visitor, other.id)
    await mine.until('own', hasEvent('monitor.created', ownId))
    await theirs.until('theirs', hasEvent('monitor.created', theirId))
    const lastEventId = mine.messages[0]?.id ?? ''
    const replayed = await follow(visitor, other.id, { lastEventId })
    await replayed.until('theirs', hasEvent('monitor.created', theirId))
    assert.ok(!mine.text.includes(theirId))
    for (const follower of [theirs, replayed]) assert.ok(!follower.text.includes(ownId))
    for (const follower of [mine, theirs, replayed]) follower.close()
  })

  // biome-ignore format: a table is read by its columns
  const ENDS: [why: string, end: (who: { person: Person; visitor: Visitor }) => Promise<unknown>, status: number][] = [
  ['signs out',             ({ visitor }) => visitor.delete('/session'),                                        401],
  ['has the session ended', ({ person }) => endSessions(person),                                                401],
  ['is removed',            ({ person }) => owner.visitor.delete(`${path}/members/${person.id}`),               404],
  ['leaves',                ({ visitor }) => visitor.post(`${path}/leave`),                                     404],
  ['is switched off',       ({ person }) => fixture.operate(['person', 'disable', '--email', person.email]),      401],
  ['stays too long',        ({ person }) => setSession(person, `expires_at = now()`),                           401],
  ['was away too long',     ({ person }) => setSession(person, `seen_at = now() - interval '13 hours'`),        401],
]

  async function endSessions(person: Person): Promise<void> {
    const elsewhere = await fixture.enter(person)
    const { data } = (await elsewhere.get('/me/sessions')).json as {
      data: { id: string; current: boolean }[]
    }
    for (const { id, current } of data)
      if (!current) assert.equal((await elsewhere.delete(`/me/sessions/${id}`)).status, 200)
  }

  const setSession = ({ uuid }: Person, change: string) =>
    fixture.db.run(`update sessions set ${change} where user_id = $1`, [uuid])

  test('ends within seconds for anyone who may no longer follow, and for nobody else', async () => {
    const stays = await ready(await followOwn())
    await Promise.all(
      ENDS.map(async ([why, end, status]) => {
        const member = await fixture.join(fixture.orgId, 'READ_ONLY')
        const follower = await ready(await follow(member.visitor, fixture.orgId))
        const cookies = new Map(member.visitor.cookies)
        await end(member)
        await follower.until(`one who ${why}`, ({ isOver }) => isOver, 6_000)
        const { baseUrl } = member.visitor
        const again = await follow({ baseUrl, cookies }, fixture.orgId)
        assert.equal(again.status, status, why)
        again.close()
      }),
    )
    assert.ok(!stays.isOver)
    stays.close()
  })

  test('so many for a session and for a process, and one that ends makes room', async () => {
    const few = await fixture.stack.start('api', {
      env: { STREAMS_PER_SESSION: '2', STREAMS_PER_PROCESS: '3' },
    })
    const at = (visitor: Visitor) =>
      follow({ baseUrl: few.baseUrl, cookies: visitor.cookies }, fixture.orgId)
    const { visitor } = await fixture.join(fixture.orgId, 'MEMBER')
    const open = [await at(owner.visitor), await at(owner.visitor)]
    const third = await at(owner.visitor)
    assert.equal(third.status, 429)
    assert.ok(Number(third.headers['retry-after']) > 0)
    open.push(await at(visitor))
    assert.equal((await at(visitor)).status, 429, 'the process has its share')
    assert.deepEqual(
      open.map(({ status }) => status),
      [200, 200, 200],
    )
    open[0]?.close()
    const roomBy = Date.now() + 5_000
    let again = await at(owner.visitor)
    while (again.status === 429 && Date.now() < roomBy) again = await at(owner.visitor)
    assert.equal(again.status, 200)
    const stopping = few.stop()
    await again.until('the end', ({ isOver }) => isOver, 6_000)
    assert.match(again.text, /retry: \d+\n\n$/, 'with the time to retry')
    assert.equal(await stopping, 0, 'open streams keep no process from stopping')
  })

  test('so many for a person over all their sessions, and for an organization', async () => {
    const few = await fixture.stack.start('api', {
      env: { STREAMS_PER_USER: '3', STREAMS_PER_ORGANIZATION: '5' },
    })
    const at = ({ cookies }: Visitor, orgId = fixture.orgId) =>
      follow({ baseUrl: few.baseUrl, cookies }, orgId)
    const { person, visitor } = await fixture.join(fixture.orgId, 'MEMBER')
    const second = await fixture.enter(person)
    const open = [await at(visitor), await at(second), await at(second)]
    assert.equal((await at(visitor)).status, 429, 'the person has their share')
    open.push(await at(owner.visitor), await at(owner.visitor))
    assert.equal((await at(owner.visitor)).status, 429, 'the organization has its share')
    const other = await fixture.createOrganization()
    const theirs = await fixture.join(other.id, 'READ_ONLY')
    open.push(await at(theirs.visitor, other.id))
    assert.deepEqual(new Set(open.map(({ status }) => status)), new Set([200]))
    for (const each of open) each.close()
    await few.stop()
  })

  test('not for pages of other sites, and only to be read', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'Sec-Fetch-Site': site }
      assert.equal((await follow(owner.visitor, fixture.orgId, { headers })).status, 403, site)
    }
    const operation = APP_OPERATIONS.find(({ id }) => id === 'streamChanges')
    assert.ok(operation)
    const target = pathOf(operation, fixture.orgId)
    for (const method of ['POST', 'DELETE']) {
      const answer = await owner.visitor.request(method, target)
      assert.deepEqual([answer.status, answer.headers['allow']], [405, 'GET'])
    }
    const head = await owner.visitor.exchange('HEAD', `/app/api${target}`)
    assert.equal(head.status, 405)
  })

  // A reader with a tiny receive buffer that never reads.
  const SLOW_READER = `
import socket, sys, time
host, port, path, cookie = sys.argv[1:5]
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
s.connect((host, int(port)))
s.sendall(f"GET {path} HTTP/1.1\\r\\nHost: {host}\\r\\nCookie: {cookie}\\r\\n\\r\\n".encode())
print("open", flush=True)
time.sleep(60)
`

  test('a reader that takes nothing is let go, and keeps nobody else waiting', async () => {
    const { id, uuid } = await fixture.createOrganization()
    const { visitor } = await fixture.join(id, 'OWNER')
    await addMonitors(fixture.db, uuid, MONITORS_IN_MESSAGE)
    const reading = await ready(await follow(visitor, id))
    const { hostname, port } = new URL(fixture.service.baseUrl)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const operation = APP_OPERATIONS.find(({ id: name }) => name === 'streamChanges')
    assert.ok(operation)
    const target = `/app/api${pathOf(operation, id)}`
    const child = spawn('python3', ['-c', SLOW_READER, hostname, port, target, cookie])
    try {
      await once(child.stdout, 'data')
      for (let change = 1; change <= MESSAGES && (await countSlow()) === 0; change += 1) {
        await fixture.db.run('update monitor_states set last_response_ms = $2 where org_id = $1', [
          uuid,
          change,
        ])
        await reading.until('the change', ({ changes }) =>
          changes.some(({ monitors = [] }) => monitors[0]?.responseMs === change),
        )
      }
      assert.equal(await countSlow(), 1, 'the slow one was let go')
      assert.ok(!reading.isOver)
    } finally {
      child.kill()
      reading.close()
    }
  })

  async function countSlow(): Promise<number> {
    const text = await (await fetch(`${fixture.service.internalUrl}/metrics`)).text()
    return Number(/^upvane_streams_ended_total\{reason="SLOW"\} (\d+)$/m.exec(text)?.[1] ?? 0)
  }

  test('an organization where nothing happens is given signs of life', async () => {
    await quiet.until('a sign', ({ text }) => text.includes('\n:\nid: '), 20_000)
    assert.deepEqual(quiet.changes, [])
    assert.ok(!quiet.isOver)
    quiet.close()
  })
})

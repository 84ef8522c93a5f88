// Two regions differ: a name leads to another address in each, as with GeoDNS. The monitor is not down, and its owners read in
// an email and on its page from where it fails and from where it passes.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from 'dns-packet'
import { proveRegion } from '../../kit/prove-region.ts'
import { type DnsServer, startDnsServer } from '../../kit/targets/dns-server.ts'
import { type Listening, listen } from '../../kit/targets/listen.ts'
import { until } from '../webhooks/fixture.ts'
import { startWatched, type Watched } from './watched-service.ts'

const OWNER = 'owner@example.com'
const NAME = 'shop.example.test'
const HOME = 'eu-west'
const OTHER = 'us-east'
const WORKS = '127.0.0.1'
const BROKEN = '127.0.0.2'
const WAIT_MS = 150_000
const QUIET_MS = 5_000

const seenFrom = { [HOME]: WORKS, [OTHER]: WORKS }
const names: DnsServer[] = []
let watched: Watched
let works: Listening
const broken = createServer((_request, response) => response.writeHead(503).end())
let cookie = ''

async function namesOf(region: keyof typeof seenFrom): Promise<string> {
  const server = await startDnsServer(({ name, type }) => {
    if (type !== 'A') return undefined
    const answer: Answer = { name, type: 'A', data: seenFrom[region], ttl: 0 }
    return { answers: [answer] }
  })
  names.push(server)
  return server.address
}

before(async () => {
  works = await listen(
    createServer((_request, response) => response.end('ok')),
    WORKS,
  )
  broken.listen(works.port, BROKEN)
  await once(broken, 'listening')
  watched = await startWatched()
  const [homeNames, otherNames] = [await namesOf(HOME), await namesOf(OTHER)]
  await watched.start('start', { REGION: OTHER, PROBE_DNS_SERVERS: otherNames })
  await watched.start('probe', { REGION: HOME, PROBE_DNS_SERVERS: homeNames })
  const token = randomBytes(32).toString('base64url')
  cookie = `upvane=${token}`
  await watched.db.run(
    `with person as (
       insert into users (id, email, name) values (new_uuid(), $1, 'Ana') returning id
     ), owner as (
       insert into members (org_id, user_id, role) select o.id, p.id, 'OWNER' from organizations o, person p
     )
     insert into sessions (id, token_hash, user_id, complete, address, agent, expires_at)
     select new_uuid(), $2, id, true, '127.0.0.1', 'Tests/1', now() + interval '1 day' from person`,
    [OWNER, createHash('sha256').update(token).digest()],
  )
  await until('both regions', async () => {
    const [row] = await watched.db.run<{ count: number }>('select count(*)::int from regions')
    return row?.count === 2
  })
  await watched.db.run('update organizations set home_region = $1, home_chosen_at = now()', [HOME])
})
after(async () => {
  await watched?.stop()
  await works?.close()
  broken.closeAllConnections()
  broken.close()
  for (const server of names) server.close()
})

const mails = () => watched.sink.to(OWNER)

/** What the dashboard shows of it. */
async function noticesOf(monitorId: string): Promise<Record<string, unknown>[]> {
  const path = `/app/api/organizations/${watched.stack.organizationId}/overview/monitors/${monitorId}`
  const response = await fetch(watched.service('start').baseUrl + path, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
  })
  assert.equal(response.status, 200)
  return ((await response.json()) as { notices: Record<string, unknown>[] }).notices
}

async function regionsOfChecks(monitorId: string): Promise<(string | null)[]> {
  const answer = await watched.api.get(`/api/ext/v1/monitors/${monitorId}/checks`)
  return (answer.json as { data: { region: string | null }[] }).data.map(({ region }) => region)
}

// As if six minutes had passed since home failed. Its proof must stay older than its loss.
const AGE = `
  update region_proofs set passed_at = passed_at - interval '10 minutes', decided_at = decided_at - interval '10 minutes',
         lost_at = lost_at - interval '6 minutes'
   where lost_at is not null`
const LOST = `
  select r.name from region_proofs p join regions r on r.no = p.region where p.lost_at is not null`

test('home fails and another region passes: the email and the page say from where, and nothing is down', async () => {
  const url = `http://${NAME}:${works.port}/`
  const fields = { type: 'HTTP', name: 'Shop', url, intervalSeconds: 30 }
  const { id } = await watched.api.createMonitor(fields)
  const stateOf = async () => (await watched.api.getMonitor(id)).state
  await until('the first check', async () => (await stateOf()) === 'UP', WAIT_MS)
  assert.deepEqual(await regionsOfChecks(id), [HOME])
  const { baseUrl } = watched.service('start')
  await proveRegion({ baseUrl, key: watched.stack.keys.full }, id, OTHER)

  seenFrom[HOME] = BROKEN
  const lost = () => watched.db.run<{ name: string }>(LOST)
  await until('a check that fails from home', async () => (await lost()).length > 0, WAIT_MS)
  assert.deepEqual(await lost(), [{ name: HOME }])
  assert.deepEqual(await noticesOf(id), [], 'one failure from home proves little')
  assert.equal(mails().length, 0)
  await watched.db.run(AGE)

  await until('the email', async () => mails().length > 0, WAIT_MS)
  assert.deepEqual(
    mails().map(({ headers }) => headers['subject']),
    ['▲ Shop fails from one region'],
  )
  assert.match(mails()[0]?.text ?? '', /Fails from eu-west, passes from us-east, since /)
  const [notice, ...others] = await noticesOf(id)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [notice?.['kind'], notice?.['region'], notice?.['otherRegion']],
    ['FAILS_FROM_HOME', HOME, OTHER],
  )
  assert.equal(await stateOf(), 'UP')
  const { incidents } = await watched.api.get(`/incidents?monitorId=${id}`)
  assert.deepEqual(incidents.data, [])
  assert.equal((await regionsOfChecks(id))[0], OTHER)
  await delay(QUIET_MS)
  assert.equal(mails().length, 1, 'no repetition')
})

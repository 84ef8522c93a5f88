// One key, one effect: with parallel requests on two processes, and when a process dies at any moment.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { Client, type RawRequest, type Reply } from '../db-kit/client.ts'
import { startDatabaseProxy } from './database-proxy.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 30)
const KILLS = Number(process.env['KILLS'] ?? 16)
const COMMIT_KILLS = Number(process.env['COMMIT_KILLS'] ?? 6)
const PARALLEL = 20
const IN_FLIGHT = 8
const RETRY_MS = 20
const MAX_RETRIES = 250

let stack: Stack
let db: pg.Client
before(async () => {
  stack = await startStack({
    nats: true,
    rateLimit: 1e8,
    durable: true,
    env: { LOG_LEVEL: 'error' },
  })
  db = new pg.Client({ connectionString: stack.databaseUrl })
  await db.connect()
})
after(async () => {
  await db.end()
  await stack.stop()
})

test(`${PARALLEL} parallel requests with one key on two processes, ${ROUNDS} rounds: one effect each`, async (t) => {
  const clients = await Promise.all([openClient(), openClient()])
  const seen = { first: 0, replayed: 0, inProgress: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const { ask, effects } = await writeOf(clients[0], round)
    const replies = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) => clients[index % 2]?.send(ask)),
    )
    const answers = replies.filter((reply) => reply !== undefined)
    const waiting = answers.filter(isInProgress)
    const successes = answers.filter(({ status }) => status < 300)
    const [first, ...others] = successes.filter((reply) => !isReplay(reply))

    assert.ok(first, `round ${round}: nobody did it`)
    assert.deepEqual(others.map(summary), [], `round ${round}: done twice`)
    assert.equal(successes.length + waiting.length, PARALLEL, answers.map(summary).join('\n'))
    for (const reply of successes) assert.deepEqual(lasting(reply), lasting(first))
    const later = await clients[round % 2]?.send(ask)
    assert.ok(later && isReplay(later))
    assert.deepEqual(lasting(later), lasting(first))
    assert.equal(await effects(), 1, `round ${round}`)
    seen.first += 1
    seen.replayed += successes.length - 1
    seen.inProgress += waiting.length
  }
  t.diagnostic(JSON.stringify(seen))
  for (const client of clients) client.close()
})

test(`kill -9 at ${KILLS} random moments, ${IN_FLIGHT} requests in flight: a retry completes or repeats, never doubles`, async (t) => {
  const survivor = await openClient()
  let next = stack.start('api')
  const seen = { answered: 0, doneUnanswered: 0, notDone: 0 }
  const acknowledged: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = await next
    // The next victim starts while this one is in use.
    next = stack.start('api')
    const asks = Array.from({ length: IN_FLIGHT }, () => newMonitor())
    const firsts = await sendAndKill(victim, asks)
    for (const [index, ask] of asks.entries()) {
      const first = firsts[index]
      if (first) acknowledged.push(String(first.json()['id']))
      const retry = await sendUntilSettled(survivor, ask)
      assert.equal(retry.status, 201, summary(retry))
      if (first) assert.deepEqual(lasting(retry), lasting(first))
      assert.equal(isReplay(retry) || first === undefined, true, 'an answered request is replayed')
      const again = await survivor.send(ask)
      assert.ok(isReplay(again))
      assert.deepEqual(lasting(again), lasting(retry))
      assert.equal(await countNamed(nameOf(ask)), 1)
      if (first) seen.answered += 1
      else if (isReplay(retry)) seen.doneUnanswered += 1
      else seen.notDone += 1
    }
  }
  await (await next).kill()
  t.diagnostic(JSON.stringify(seen))
  for (const id of acknowledged)
    assert.equal((await survivor.send({ path: `/api/v1/monitors/${id}` })).status, 200, id)
  assert.ok(
    seen.answered > KILLS / 4 && seen.notDone > KILLS / 4,
    'the moments were spread over the request',
  )
  survivor.close()
})

test(`kill -9 after the commit and before the answer, ${COMMIT_KILLS} times: the retry is a replay`, async () => {
  const survivor = await openClient()
  const proxy = await startDatabaseProxy(stack.postgres.port)
  for (let kill = 0; kill < COMMIT_KILLS; kill++) {
    const env = { DATABASE_URL: proxy.through(stack.env['DATABASE_URL'] ?? '') }
    const victim = await stack.start('api', { env })
    const client = new Client(victim.baseUrl, stack.keys.full)
    const { ask, effects } = await writeOf(survivor, kill)

    const committed = proxy.holdNextCommit()
    const sent = client.send(ask).then(summary, (error: NodeJS.ErrnoException) => error.code)
    await committed
    await victim.kill()

    assert.match(String(await sent), /^ECONNRESET$/, 'nobody got a response')
    assert.equal(await effects(), 1, 'it had happened')
    const retry = await survivor.send(ask)
    assert.ok(retry.status < 300 && isReplay(retry), summary(retry))
    assert.deepEqual(lasting(await survivor.send(ask)), lasting(retry))
    assert.equal(await effects(), 1)
    client.close()
  }
  await proxy.close()
  survivor.close()
})

async function openClient(): Promise<Client> {
  const { baseUrl } = await stack.start('api')
  return new Client(baseUrl, stack.keys.full)
}

/** Undefined for a request that got no response. */
async function sendAndKill(victim: Service, asks: RawRequest[]): Promise<(Reply | undefined)[]> {
  const client = new Client(victim.baseUrl, stack.keys.full)
  // Warmed up and timed, so that the kill falls anywhere between the first byte and the last response.
  await Promise.all(asks.map(() => client.send(newMonitor())))
  const startedAt = performance.now()
  await Promise.all(asks.map(() => client.send(newMonitor())))
  const usualMs = performance.now() - startedAt
  const sent = asks.map((ask) =>
    client.send(ask).catch((error: NodeJS.ErrnoException) => {
      assert.match(String(error.code), /^(ECONNRESET|ECONNREFUSED|EPIPE)$/)
      return undefined
    }),
  )
  await sleep(randomInt(Math.ceil(usualMs) + 1))
  await victim.kill()
  const firsts = await Promise.all(sent)
  client.close()
  return firsts
}

/** The dead process's transaction ends when the database notices; until then the key is in use. */
async function sendUntilSettled(client: Client, ask: RawRequest): Promise<Reply> {
  for (let tries = 0; tries < MAX_RETRIES; tries++) {
    const reply = await client.send(ask)
    if (!isInProgress(reply)) return reply
    await sleep(RETRY_MS)
  }
  throw new Error('The key of a dead process was never released')
}

function newMonitor(): RawRequest & { body: { name: string; type: string } } {
  return {
    method: 'POST',
    path: '/api/v1/monitors',
    headers: { 'Idempotency-Key': randomUUID() },
    body: { name: `Monitor ${randomUUID()}`, type: 'CRON' },
  }
}

/** A create, an update or a delete in turn, and how to count its effects. */
async function writeOf(client: Client | undefined, round: number) {
  const create = newMonitor()
  if (round % 3 === 0) return { ask: create, effects: () => countNamed(create.body.name) }
  const made = await client?.send(create)
  const id = String(made?.json()['id'])
  const headers = { 'Idempotency-Key': randomUUID() }
  const path = `/api/v1/monitors/${id}`
  return round % 3 === 1
    ? {
        ask: { method: 'PATCH', path, headers, body: { name: 'Renamed' } },
        effects: () => countActions('updateMonitor', id),
      }
    : { ask: { method: 'DELETE', path, headers }, effects: () => countActions('deleteMonitor', id) }
}

const nameOf = (ask: RawRequest) => (ask.body as { name: string }).name

const countNamed = (name: string) =>
  count('select count(*)::int as n from monitors where name = $1', name)

/** Audit entry and event are written with every effect; both must agree. */
async function countActions(action: string, id: string): Promise<number> {
  const type = action === 'updateMonitor' ? 'monitor.updated' : 'monitor.deleted'
  const lines = await count(
    'select count(*)::int as n from audit_log where action = $1 and resource_id = $2',
    action,
    id,
  )
  const events = await count(
    `select count(*)::int as n from events where type = $1 and body::jsonb #>> '{data,monitor,id}' = $2`,
    type,
    id,
  )
  assert.equal(lines, events)
  return events
}

async function count(text: string, ...values: string[]): Promise<number> {
  const { rows } = await db.query<{ n: number }>(text, values)
  return rows[0]?.n ?? 0
}

const isReplay = ({ headers }: Reply) => headers['idempotency-replayed'] === 'true'
const isInProgress = ({ status, text }: Reply) =>
  status === 409 && text.includes('"idempotency_in_progress"')
const summary = ({ status, text }: Reply) => `${status} ${text.slice(0, 200)}`
const lasting = ({ status, headers, text }: Reply) => ({ status, text, location: headers.location })

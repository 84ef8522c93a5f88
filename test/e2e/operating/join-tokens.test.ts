// What somebody can do with a token that they found: nothing once it was used, and little before. NATS runs with the shipped
// configuration, and the holder of the token uses a client of their own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  connect,
  credsAuthenticator,
  jwtAuthenticator,
  type NatsConnection,
  nkeys,
} from '@nats-io/transport-node'
import type { Nats } from '../../../tools/services/nats.ts'
import { type Environment, type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { type Database, openDatabase } from '../../kit/database.ts'
import { until } from '../webhooks/fixture.ts'
import { FLOOD, type FloodPlan, type FloodResult } from './join-flood.ts'
import { startShippedNats } from './shipped-nats.ts'

const MAIN = join(import.meta.dirname, '../../../src/main.ts')
const FLOODER = join(import.meta.dirname, 'join-flood.ts')
const PLENTY = 1_000_000
// Per minute.
const STILL_HONEST = 150
const NEVER: FloodResult = { sent: 0, tookMs: Number.POSITIVE_INFINITY }
const ENDED_WITHIN_MS = 60_000
// In bytes before TLS: more than any honest join, less than what the token permits.
const REQUEST_BYTES = 600
const directory = mkdtempSync(join(tmpdir(), 'upvane-join-tokens-'))
const at = (name: string) => join(directory, name)

type Token = { url: string; ca: string; id: string; secret: string; jwt: string; seed: string }

let nats: Nats
let stack: Stack
let api: Client
let db: Database
let service: Environment

before(async () => {
  stack = await startStack({ nats: false, rateLimit: PLENTY, env: { LOG_LEVEL: 'warn' } })
  db = openDatabase(stack.databaseUrl)
  const setUp = () => upvane(['nats', 'setup', '--dir', directory])
  ;({ nats, service } = await startShippedNats(directory, setUp))
  const { baseUrl } = await stack.start('api', { env: service })
  api = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })
})

after(async () => {
  api?.close()
  await db?.close()
  await stack?.stop()
  await nats?.stop()
  rmSync(directory, { recursive: true })
})

test('a token that was used: NATS disconnects its holder and lets nobody in with it again', async () => {
  const line = await tokenOf('eu-west')
  const token = read(line)
  const held = await holdOf(token)
  assert.equal((await joinOnce(line, 'first')).code, 0)
  await within(held.closed(), 'the connection to end')
  await assert.rejects(holdOf(token), /authorization|authentication/i)
  const late = await joinOnce(line, 'second')
  assert.equal(late.code, 2)
  assert.match(late.stderr, /It was used before, or has expired/)
  await nats.restart()
  await assert.rejects(holdOf(token), /authorization|authentication/i)
})

test('the token of a revoked probe: refused, also if it was used while nobody could tell NATS', async () => {
  const line = await tokenOf('eu-west', '--name', 'lost-1')
  const token = read(line)
  assert.equal((await joinOnce(line, 'lost')).code, 0)
  await until('the token to be refused', () => isRefused(token), 20_000)
  // As if its use had been recorded by a process that then lost its connection to NATS.
  const other = read(await tokenOf('eu-west'))
  const held = await holdOf(other)
  await db.run(
    `update probe_tokens set used_at = now() - interval '5 seconds', used_by = p.public_key
       from probes p where p.name = 'lost-1' and id::text = $1`,
    [other.id],
  )
  await delay(500)
  assert.ok(!held.isClosed(), 'nobody told NATS yet')
  const { stdout } = await upvane(['probe', 'revoke', 'lost-1', '--json'])
  assert.equal((JSON.parse(stdout) as { disconnected: boolean }).disconnected, true)
  await within(held.closed(), 'the connection to end')
  await assert.rejects(holdOf(other), /authorization|authentication/i)
})

test('a token permits two subscriptions, and messages of a request to join', async () => {
  const token = read(await tokenOf('eu-west'))
  const large = await holdOf(token)
  assert.equal(large.info?.max_payload, 1024)
  // The client would refuse by itself what the server told it.
  Object.assign(large.info, { max_payload: PLENTY })
  large.publish(`upvane.requests.join.${token.id}`, new Uint8Array(1024))
  await large.flush()
  large.publish(`upvane.requests.join.${token.id}`, new Uint8Array(1025))
  await within(large.closed(), 'the connection to end')

  const many = await holdOf(token)
  const refusals = watch(many)
  const inbox = `upvane.inbox.join-${token.id}`
  many.subscribe(`${inbox}.a`, { callback: () => {} })
  await many.flush()
  assert.deepEqual(refusals, [])
  many.subscribe(`${inbox}.b`, { callback: () => {} })
  await many.flush()
  assert.deepEqual(refusals, [])
  many.subscribe(`${inbox}.c`, { callback: () => {} })
  await until('the refusal', async () => refusals.length > 0 || many.isClosed(), 5000)
  await many.close()
})

test('a probe that waits for its response stays connected while other tokens end', async () => {
  const token = read(await tokenOf('eu-west'))
  const waiting = await holdOf(token)
  waiting.subscribe(inboxOf(token), { callback: () => {} })
  const line = await tokenOf('eu-west')
  assert.equal((await joinOnce(line, 'other')).code, 0)
  await until('the other token to be refused', () => isRefused(read(line)), 20_000)
  // The server ends connections a moment after the claims have changed.
  await delay(500)
  assert.ok(!waiting.isClosed())
  await waiting.close()
})

test('a token permits neither the name of another one nor responses sent to probes', async () => {
  const [token, other] = [read(await tokenOf('eu-west')), read(await tokenOf('eu-west'))]
  const held = await holdOf(token)
  const refusals = watch(held)
  held.publish(`upvane.requests.join.${other.id}`, request(other))
  held.publish('upvane.requests.join', request(token))
  await held.flush()
  await until('both refusals', async () => refusals.length === 2, 5000)
  // Under its own name, for another token: it counts for the wrong one.
  assert.match(
    await within(ask(held, token, request(other)), 'the response'),
    /unknown, expired or already used/,
  )

  const service = await connect({
    servers: nats.url,
    authenticator: credsAuthenticator(readFileSync(at('upvane.creds'))),
    tls: { caFile: at('ca.pem') },
    reconnect: false,
  })
  let received = 0
  service.subscribe('upvane.requests.stolen', { callback: () => void received++ })
  await service.flush()
  const subject = `upvane.requests.join.${token.id}`
  held.publish(subject, request(token), { reply: 'upvane.requests.stolen' })
  await held.flush()
  await delay(1000)
  assert.equal(received, 0, 'the service does not publish where a stranger tells it to')
  await Promise.all([held.close(), service.close()])
})

test('ten requests a minute of a token get a response, and no more', async () => {
  const token = read(await tokenOf('us-east'))
  const held = await holdOf(token)
  for (let asked = 0; asked < 10; asked++)
    assert.match(
      await within(ask(held, token, floodBody(token)), 'the response'),
      /unknown, expired or already used/,
    )
  const silent = delay(1500).then(() => 'no response')
  assert.equal(await Promise.race([ask(held, token, floodBody(token)), silent]), 'no response')
  await held.close()
})

test('a token that asks often, but not without end, stays', async () => {
  const token = read(await tokenOf('us-east'))
  const held = await holdOf(token)
  send(held, token, STILL_HONEST)
  await held.flush()
  await delay(2000)
  assert.ok(!held.isClosed())
  assert.ok(!(await isRefused(token)))
  await held.close()
})

// What the API's users notice is printed and not judged: other files measure and work beside this one.
test('a flood from one token: it ends, and an honest probe joins meanwhile', async (t) => {
  const line = await tokenOf('us-east')
  const honest = await tokenOf('us-east')
  const quiet = await latencies(2000)
  const { ended } = await startFlood([line])
  const [joined, busy] = await Promise.all([joinOnce(honest, 'honest'), latencies(3000)])
  const [{ sent, tookMs } = NEVER] = await ended
  t.diagnostic(
    `${sent} requests in ${Math.round(tookMs)} ms; GET /monitors p99 ${p99(quiet)} -> ${p99(busy)} ms`,
  )
  assert.equal(joined.code, 0, joined.stderr)
  assert.ok(sent >= FLOOD)
  assert.ok(tookMs < ENDED_WITHIN_MS, `the token ended after ${tookMs} ms`)
  const late = await joinOnce(line, 'late')
  assert.equal(late.code, 2)
  assert.match(late.stderr, /NATS refuses this token/)
  const recorded = `action = 'probe token revoked' and detail->>'token' = $1`
  assert.equal(await db.count('operator_log', recorded, [read(line).id]), 1)
})

test('a flood under ten tokens: the same, and their requests hardly reach the database', async (t) => {
  const tokens = await Promise.all(Array.from({ length: 10 }, () => tokenOf('ap-south')))
  const honest = await tokenOf('ap-south')
  const before = await db.one<{ n: string }>(COMMITS, [])
  const { ended } = await startFlood(tokens)
  const startedMs = performance.now()
  const joined = await joinOnce(honest, 'honest-2')
  const joinedMs = Math.round(performance.now() - startedMs)
  const floods = await ended
  assert.equal(joined.code, 0, joined.stderr)
  await delay(1500)
  const later = await db.one<{ n: string }>(COMMITS, [])
  const transactions = Number(later.n) - Number(before.n)
  const sent = floods.map((flood) => flood.sent)
  const longestMs = Math.max(...floods.map(({ tookMs }) => tookMs))
  t.diagnostic(
    `${sent} requests in ${Math.round(longestMs)} ms; joined in ${joinedMs} ms; ${transactions} transactions`,
  )
  assert.ok(sent.every((count) => count >= FLOOD))
  assert.ok(longestMs < ENDED_WITHIN_MS, `${longestMs} ms`)
  // A few for each token and its end, and what an idle product does.
  assert.ok(transactions < 500, `${transactions} transactions`)
})

const COMMITS = `select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()`

const inboxOf = ({ id }: Token) => `upvane.inbox.join-${id}.a`
/** Of a valid request with another secret. */
const floodBody = (token: Token) =>
  request({ ...token, secret: 'x'.repeat(199) }).padEnd(REQUEST_BYTES, ' ')

function send(connection: NatsConnection, token: Token, count: number): void {
  const body = floodBody(token)
  const reply = inboxOf(token)
  for (let i = 0; i < count; i++)
    connection.publish(`upvane.requests.join.${token.id}`, body, { reply })
}

/** Resolves when every token is connected. The results follow once NATS refuses them all. */
async function startFlood(lines: string[]): Promise<{ ended: Promise<FloodResult[]> }> {
  const tokens = lines.map(read).map((token) => ({ ...token, body: floodBody(token) }))
  const plan: FloodPlan = { url: nats.url, caFile: at('ca.pem'), forMs: ENDED_WITHIN_MS, tokens }
  const child = spawn(process.execPath, [FLOODER], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(plan))
  const printed = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  assert.equal((await printed.next()).value, 'connected')
  const results = async () => JSON.parse(String((await printed.next()).value)) as FloodResult[]
  return { ended: results() }
}

async function latencies(forMs: number): Promise<number[]> {
  const found: number[] = []
  const endMs = performance.now() + forMs
  while (performance.now() < endMs) {
    const startedMs = performance.now()
    assert.equal((await api.get('/monitors')).status, 200)
    found.push(performance.now() - startedMs)
    await delay(5)
  }
  return found.toSorted((a, b) => a - b)
}

const p99 = (sorted: readonly number[]): number =>
  Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)

function request({ id, secret }: Pick<Token, 'id' | 'secret'>): string {
  const publicKey = nkeys.createUser().getPublicKey()
  return JSON.stringify({ body: { id, secret, publicKey } })
}

function ask(connection: NatsConnection, token: Token, body: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const inbox = `upvane.inbox.join-${token.id}.ask`
  connection.subscribe(inbox, { max: 1, callback: (_, message) => resolve(message.string()) })
  connection.publish(`upvane.requests.join.${token.id}`, body, { reply: inbox })
  return promise
}

function watch(connection: NatsConnection): string[] {
  const refusals: string[] = []
  const watching = async () => {
    for await (const status of connection.status())
      if (status.type === 'error') refusals.push(status.error.message)
  }
  void watching()
  return refusals
}

const holdOf = ({ jwt, seed }: Token) =>
  connect({
    servers: nats.url,
    authenticator: jwtAuthenticator(jwt, Buffer.from(seed)),
    tls: { caFile: at('ca.pem') },
    reconnect: false,
  })

async function isRefused(token: Token): Promise<boolean> {
  try {
    await (await holdOf(token)).close()
    return false
  } catch {
    return true
  }
}

function read(line: string): Token {
  const body = line.trim().split('.')[1] ?? ''
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Token
}

async function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const late = delay(10_000).then((): never => assert.fail(`${what}: not within 10 s`))
  return Promise.race([promise, late])
}

async function tokenOf(region: string, ...more: string[]): Promise<string> {
  const { stdout, stderr, code } = await upvane(['region', 'add', region, ...more], service)
  assert.equal(code, 0, stderr)
  return stdout
}

function joinOnce(token: string, name: string) {
  const env = { PATH: process.env['PATH'] ?? '', PROBE_FILE: at(`${name}.json`) }
  assert.ok(!existsSync(env.PROBE_FILE))
  return upvane(['probe', 'join', '--no-start'], env, token)
}

async function upvane(args: string[], env: Environment = service ?? {}, input = '') {
  const whole = env['PROBE_FILE'] === undefined ? { ...stack.env, ...env } : env
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: directory, env: whole })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text))
  child.stdin.on('error', () => {}).end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, stdout, stderr }
}

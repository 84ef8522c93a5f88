// One organization monitors every target that misbehaves on purpose. Each attempt ends in time, each slot is run, and
// the healthy targets beside them, its own and its neighbor's, are not affected.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import * as hostile from '../../kit/targets/hostile.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { type Engine, startEngine, VERDICTS } from './fixture.ts'

const BUDGET_MS = 1000
const LATE_MS = 250
const CONFIRM_MS = 1000
const INTERVAL_SECONDS = 5
const SLOTS = 5
const WATCHED_MS = SLOTS * INTERVAL_SECONDS * 1000
// A check has two attempts with one second between them.
const APPLY_MS = 4000
const HEALTHY = 40
const START_LATE_MS = 1000
// Two clocks of one machine, rounded.
const CLOCK_MS = 5
// A machine that stalls for 200 ms spoils a timeout; a name server that stalls spoils the control query.
const OF_A_BUSY_MACHINE = new Set(['STALLED', 'RESOLVER_UNREACHABLE'])
const MOST_UNDECIDED = 0.05
const FIELDS = { intervalSeconds: 86_400, timeoutSeconds: BUDGET_MS / 1000 }

// biome-ignore format: a table is read by its columns
const BEHAVIORS: [hostile.Hostility, HTTP: string, KEYWORD: string, SSL: string][] = [
  [hostile.mute,          'TIMEOUT',          'TIMEOUT',          'TIMEOUT'],
  [hostile.zeroWindow,    'TIMEOUT',          'TIMEOUT',          'TIMEOUT'],
  [hostile.dripHeaders,   'TIMEOUT',          'TIMEOUT',          'TLS_ERROR'],
  [hostile.dripBody,      'OK',               'TIMEOUT',          'TLS_ERROR'],
  [hostile.floodOf1xx,    'INVALID_RESPONSE', 'INVALID_RESPONSE', 'TLS_ERROR'],
  [hostile.halfClose,     'CONNECTION_RESET', 'CONNECTION_RESET', 'CONNECTION_RESET'],
  [hostile.resetAtOnce,   'CONNECTION_RESET', 'CONNECTION_RESET', 'CONNECTION_RESET'],
  [hostile.resetMidBody,  'OK',               'CONNECTION_RESET', 'TLS_ERROR'],
  [hostile.endlessChunks, 'OK',               'KEYWORD_MISSING',  'TLS_ERROR'],
  [hostile.headerBomb,    'INVALID_RESPONSE', 'INVALID_RESPONSE', 'TLS_ERROR'],
  [hostile.garbage,       'INVALID_RESPONSE', 'INVALID_RESPONSE', 'CONNECTION_RESET'],
]
const NAMELESS = ['mute.test', 'broken.test']

type Wanted = { fields: Record<string, unknown>; verdict: string }
type Watched = { name: string; verdict: string; slot: Date }
type Observed = { name: string; causeCode: string; attemptsMs: number[] }

let engine: Engine
let web: Web
const closing: (() => Promise<void> | void)[] = []
/** When each healthy target was requested, by the name of its monitor. */
const visits = new Map<string, number[]>()
const wanted = new Map<string, string>()
let rows: Watched[] = []
let evidence: Observed[] = []
let firstAt = new Date()

before(async () => {
  const dns = await startDnsServer(({ name }) => {
    if (name === 'mute.test') return 'SILENCE'
    return name === 'broken.test' ? 'SERVFAIL' : 'NXDOMAIN'
  })
  web = await startWeb()
  closing.push(() => dns.close(), web.close)
  engine = await startEngine({ nats: false, env: { PROBE_DNS_SERVERS: dns.address } })
  const targets = [...(await hostileTargets()), ...namelessTargets(), redirectLoop()]
  for (const { fields, verdict } of targets) {
    await engine.create({ ...FIELDS, ...fields })
    wanted.set(String(fields['name']), verdict)
  }
  await createHealthy()
  firstAt = await hurry()
  evidence = await watch()
  rows = await resultsSince()
})
after(async () => {
  await engine.stop()
  for (const close of closing) await close()
})

describe('hostile targets', () => {
  test('every attempt ends within its budget and 250 ms', (t) => {
    const tookMs = evidence.flatMap(({ attemptsMs }) => attemptsMs)
    t.diagnostic(
      `${tookMs.length} attempts of ${evidence.length} failed checks, at most ${Math.max(...tookMs)} ms`,
    )
    for (const { name, attemptsMs } of evidence)
      for (const ms of attemptsMs) assert.ok(ms <= BUDGET_MS + LATE_MS, `${name}: ${ms} ms`)
    const mute = evidence.filter(({ name }) => name === 'mute HTTP')
    assert.ok(mute.length > 1 && mute.every(({ attemptsMs }) => attemptsMs.length >= 2))
    for (const { attemptsMs } of mute)
      for (const ms of attemptsMs) assert.ok(ms >= BUDGET_MS - CLOCK_MS)
  })

  test('every slot is run, with the right verdict and cause', (t) => {
    const bySlot = Map.groupBy(rows, ({ name }) => name)
    assert.ok(wanted.size > 40)
    let undecided = 0
    for (const [name, verdict] of wanted) {
      const verdicts = bySlot.get(name)?.map((row) => row.verdict) ?? []
      assert.equal(verdicts.length, SLOTS, name)
      const right = verdict === 'OK' ? 'PASSED' : 'FAILED'
      const others = verdicts.filter((each) => each !== right)
      undecided += others.length
      assert.ok(
        others.every((each) => each === 'INCONCLUSIVE'),
        `${name}: ${verdicts}`,
      )
      const own = evidence.filter((seen) => seen.name === name)
      const causes = new Set(own.map(({ causeCode }) => causeCode))
      assert.deepEqual([...causes], verdict === 'OK' ? [] : [verdict], name)
    }
    t.diagnostic(`${undecided} of ${wanted.size * SLOTS} checks undecided`)
    assert.ok(undecided <= MOST_UNDECIDED * wanted.size * SLOTS)
  })

  test('healthy targets beside them are up, and checked within a second of their slot', (t) => {
    const healthy = rows.filter(({ name }) => visits.has(name))
    const latenessMs = healthy.map(({ name, slot, verdict }) => {
      assert.equal(verdict, 'PASSED', name)
      const afterMs = (visits.get(name) ?? []).map((atMs) => atMs - slot.getTime())
      return Math.min(...afterMs.filter((ms) => ms >= -CLOCK_MS))
    })
    assert.equal(latenessMs.length, 2 * HEALTHY * SLOTS)
    t.diagnostic(`${latenessMs.length} healthy checks, at most ${Math.max(...latenessMs)} ms late`)
    assert.ok(Math.max(...latenessMs) < START_LATE_MS)
  })

  test('no slot was skipped, and the process is well', async () => {
    assert.equal(await engine.db.count('missed', 'from_slot >= $1', [firstAt]), 0)
    const { baseUrl, internalUrl } = engine.service
    assert.equal((await fetch(`${internalUrl}/readyz`)).status, 200)
    const metrics = await (await fetch(`${internalUrl}/metrics`)).text()
    const reasons = metrics.matchAll(/^upvane_checks_inconclusive_total\{.*reason="(\w+)"/gm)
    const logFile = join(engine.stack.directory, `service-${new URL(baseUrl).port}.log`)
    const log = readFileSync(logFile, 'utf8')
    for (const [, reason = ''] of reasons) {
      const details = log.split('\n').filter((line) => line.includes(`"${reason}"`))
      assert.ok(OF_A_BUSY_MACHINE.has(reason), `${reason}: ${details.join('\n')}`)
    }
    assert.doesNotMatch(log, /"level":[56]0/)
  })
})

async function hostileTargets(): Promise<Wanted[]> {
  const targets: Wanted[] = []
  for (const [behave, HTTP, KEYWORD, SSL] of BEHAVIORS) {
    const { port } = await serve(behave)
    const url = `http://127.0.0.1:${port}`
    const word = behave.name
    const body = { method: 'POST', requestBody: 'x'.repeat(50_000) }
    const more = behave === hostile.zeroWindow ? body : {}
    targets.push(
      { verdict: HTTP, fields: { name: `${word} HTTP`, type: 'HTTP', url, ...more } },
      {
        verdict: KEYWORD,
        fields: { name: `${word} KEYWORD`, type: 'KEYWORD', url, keyword: 'needle' },
      },
      { verdict: SSL, fields: { name: `${word} SSL`, type: 'SSL', url: `127.0.0.1:${port}` } },
      {
        verdict: SSL,
        fields: { name: `${word} https`, type: 'HTTP', url: `https://127.0.0.1:${port}` },
      },
      { verdict: 'OK', fields: { name: `${word} PORT`, type: 'PORT', host: '127.0.0.1', port } },
    )
  }
  for (const encoding of ['gzip', 'br', 'zstd'] as const) {
    const { port } = await serve(hostile.bomb(encoding, await hostile.packBomb(encoding)))
    const fields = { type: 'KEYWORD', url: `http://127.0.0.1:${port}`, keyword: 'needle' }
    targets.push({ verdict: 'KEYWORD_MISSING', fields: { name: `${encoding} bomb`, ...fields } })
  }
  return targets
}

function namelessTargets(): Wanted[] {
  return NAMELESS.flatMap((host) =>
    [
      { type: 'HTTP', url: `http://${host}` },
      { type: 'KEYWORD', url: `https://${host}`, keyword: 'needle' },
      { type: 'SSL', url: host },
      { type: 'PORT', host, port: 80 },
      { type: 'PING', host },
      { type: 'DNS', url: host },
    ].map((fields) => ({
      verdict: 'DNS_ERROR',
      fields: { name: `${host} ${fields.type}`, ...fields },
    })),
  )
}

function redirectLoop(): Wanted {
  const { url } = web.page(({ path }) => ({ status: 302, headers: { Location: path } }))
  return { verdict: 'TOO_MANY_REDIRECTS', fields: { name: 'redirect loop', type: 'HTTP', url } }
}

async function createHealthy(): Promise<void> {
  const { full, otherOrganization } = engine.stack.keys
  for (const [owner, key] of [
    ['own', full],
    ['other', otherOrganization],
  ] as const) {
    const api = engine.as(key)
    for (let i = 0; i < HEALTHY; i++) {
      const name = `${owner} ${i}`
      const atMs: number[] = []
      visits.set(name, atMs)
      const { url } = web.page(() => {
        atMs.push(Date.now())
        return { status: 200 }
      })
      await api.createMonitor({ ...FIELDS, type: 'HTTP', name, url })
    }
    api.close()
  }
}

async function serve(behave: hostile.Hostility) {
  const server = await hostile.startHostile(behave)
  closing.push(server.close)
  return server
}

/** Makes checks more frequent than any plan allows. Returns the earliest time of the first slot. */
async function hurry(): Promise<Date> {
  const { db } = engine
  await db.run('alter table monitors drop constraint monitors_interval_seconds_check')
  await db.run(
    `update organizations set limit_overrides = jsonb_build_object('fastestIntervalSeconds', $1::integer)`,
    [INTERVAL_SECONDS],
  )
  await db.run('update monitors set interval_seconds = $1', [INTERVAL_SECONDS])
  const from = new Date(Date.now() + 3000)
  await db.run(
    `update monitor_states s set due_unread = true, next_due_at = to_timestamp((phase + $1 * ceil(($2 - phase) / $1)) / 1000)
       from (select no, (('x' || right(id::text, 12))::bit(48)::bigint % $1::bigint)::numeric as phase
               from monitors) g where g.no = s.monitor_no`,
    [INTERVAL_SECONDS * 1000, from.getTime()],
  )
  return from
}

/** Collects the evidence of each failed check: only a monitor's latest is stored. */
async function watch(): Promise<Observed[]> {
  type Row = { id: string; name: string; evidence: Kept }
  const kept = new Map<string, Observed>()
  const endMs = firstAt.getTime() + WATCHED_MS + APPLY_MS
  while (Date.now() < endMs) {
    const found = await engine.db.run<Row>(
      `select e.id, m.name, e.evidence from incident_evidence e join incidents i on i.id = e.incident_id
         join monitors m on m.id = i.monitor_id where e.part = 'LAST_FAILURE' and e.checked_at >= $1`,
      [firstAt],
    )
    for (const {
      id,
      name,
      evidence: { causeCode, checkedAt, attempts },
    } of found)
      kept.set(id, { name, causeCode, attemptsMs: durations(attempts, checkedAt) })
    await sleep(1000)
  }
  return [...kept.values()]
}

type Kept = { checkedAt: string; causeCode: string; attempts: { startedAt: string }[] }

/** An attempt lasts until one second before the next one starts, or until the check ends. */
function durations(attempts: Kept['attempts'], checkedAt: string): number[] {
  return attempts.map(({ startedAt }, i) => {
    const next = attempts[i + 1]
    const endMs =
      next === undefined ? Date.parse(checkedAt) : Date.parse(next.startedAt) - CONFIRM_MS
    return endMs - Date.parse(startedAt)
  })
}

async function resultsSince(): Promise<Watched[]> {
  const found = await engine.db.run<Omit<Watched, 'verdict'> & { verdict: number }>(
    `select m.name, r.verdict, r.slot from results r join monitors m on m.no = r.monitor_no
      where r.slot >= $1 and r.slot < $2 order by r.slot`,
    [firstAt, new Date(firstAt.getTime() + WATCHED_MS)],
  )
  return found.map((row) => ({ ...row, verdict: VERDICTS[row.verdict] ?? '' }))
}

// Whatever a target does, an attempt ends in time and retains nothing.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { httpTarget, openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import * as hostile from '../../test/kit/targets/hostile.ts'
import type { KeywordTarget } from './keyword.ts'
import type { CheckTarget } from './registry.ts'

const BUDGET_MS = 500
const LATE_MS = 250
// For targets that an attempt gives up itself: only the cause counts, and a busy machine may need longer to find it.
const GENEROUS_BUDGET_MS = 5_000
// Long enough that a busy machine starts 200 attempts before the first one ends.
const MUTE_BUDGET_MS = 2_000
const MOST_GROWTH_BYTES = 10 * 1024 * 1024
// Memory is measured for the whole process, including other tests' garbage, so the best of several attempts counts.
const ATTEMPTS = 5

const fixture = await openAttemptFixture({
  dns: ({ name }) => {
    if (name === 'mute.test') return 'SILENCE'
    return name === 'broken.test' ? 'SERVFAIL' : undefined
  },
})
after(() => fixture.close())

const behaviors: Record<string, hostile.Hostility> = {
  mute: hostile.mute,
  zeroWindow: hostile.zeroWindow,
  dripHeaders: hostile.dripHeaders,
  dripBody: hostile.dripBody,
  floodOf1xx: hostile.floodOf1xx,
  halfClose: hostile.halfClose,
  resetAtOnce: hostile.resetAtOnce,
  resetMidBody: hostile.resetMidBody,
  endlessChunks: hostile.endlessChunks,
  headerBomb: hostile.headerBomb,
  garbage: hostile.garbage,
}

// biome-ignore format: a table is read by its columns
const expected: Record<string, { HTTP: string; KEYWORD: string; https: string; SSL: string }> = {
  mute:          { HTTP: 'TIMEOUT',          KEYWORD: 'TIMEOUT',          https: 'TIMEOUT',          SSL: 'TIMEOUT' },
  zeroWindow:    { HTTP: 'TIMEOUT',          KEYWORD: 'TIMEOUT',          https: 'TIMEOUT',          SSL: 'TIMEOUT' },
  dripHeaders:   { HTTP: 'TIMEOUT',          KEYWORD: 'TIMEOUT',          https: 'TLS_ERROR',        SSL: 'TLS_ERROR' },
  dripBody:      { HTTP: 'OK',               KEYWORD: 'TIMEOUT',          https: 'TLS_ERROR',        SSL: 'TLS_ERROR' },
  floodOf1xx:    { HTTP: 'INVALID_RESPONSE', KEYWORD: 'INVALID_RESPONSE', https: 'TLS_ERROR',        SSL: 'TLS_ERROR' },
  halfClose:     { HTTP: 'CONNECTION_RESET', KEYWORD: 'CONNECTION_RESET', https: 'CONNECTION_RESET', SSL: 'CONNECTION_RESET' },
  resetAtOnce:   { HTTP: 'CONNECTION_RESET', KEYWORD: 'CONNECTION_RESET', https: 'CONNECTION_RESET', SSL: 'CONNECTION_RESET' },
  resetMidBody:  { HTTP: 'OK',               KEYWORD: 'CONNECTION_RESET', https: 'TLS_ERROR',        SSL: 'TLS_ERROR' },
  endlessChunks: { HTTP: 'OK',               KEYWORD: 'KEYWORD_MISSING',  https: 'TLS_ERROR',        SSL: 'TLS_ERROR' },
  headerBomb:    { HTTP: 'INVALID_RESPONSE', KEYWORD: 'INVALID_RESPONSE', https: 'TLS_ERROR',        SSL: 'TLS_ERROR' },
  garbage:       { HTTP: 'INVALID_RESPONSE', KEYWORD: 'INVALID_RESPONSE', https: 'CONNECTION_RESET', SSL: 'CONNECTION_RESET' },
}

const keywordTarget = (url: string): KeywordTarget => ({
  ...httpTarget(url),
  type: 'KEYWORD',
  keyword: 'needle',
  keywordMatch: 'EXISTS',
})

/** Measures lateness against a plain timer that starts with the attempt: a busy machine delays both. */
async function verdictOf(target: CheckTarget, budgetMs = BUDGET_MS): Promise<string> {
  let budgetEndedMs: number | undefined
  const timer = setTimeout(() => {
    budgetEndedMs = performance.now()
  }, budgetMs)
  const attempt = await fixture.attempt(target, budgetMs)
  const lateMs = budgetEndedMs === undefined ? 0 : performance.now() - budgetEndedMs
  clearTimeout(timer)
  assert.ok(lateMs <= LATE_MS, `${target.type} ended ${Math.round(lateMs)} ms late`)
  if (attempt.outcome === 'INCONCLUSIVE') return `${attempt.reason} ${attempt.detail}`
  return attempt.outcome === 'FAILED' ? attempt.causeCode : attempt.outcome
}

for (const [name, behave] of Object.entries(behaviors)) {
  test(`${name}: every type ends in time with the right cause`, async (t) => {
    const { port, close } = await hostile.startHostile(behave)
    t.after(close)
    const address = `127.0.0.1:${port}`
    const big = { method: 'POST', requestBody: 'x'.repeat(100_000) } as const
    const endsByBudget = Object.values(expected[name] ?? {}).includes('TIMEOUT')
    const budgetMs = endsByBudget ? BUDGET_MS : GENEROUS_BUDGET_MS
    const [HTTP, KEYWORD, https, SSL, PORT] = await Promise.all([
      verdictOf(httpTarget(`http://${address}`, name === 'zeroWindow' ? big : {}), budgetMs),
      verdictOf(keywordTarget(`http://${address}`), budgetMs),
      verdictOf(httpTarget(`https://${address}`), budgetMs),
      verdictOf({ type: 'SSL', url: address, verifySsl: true, timeoutSeconds: 1 }, budgetMs),
      verdictOf({ type: 'PORT', host: '127.0.0.1', port, timeoutSeconds: 1 }, budgetMs),
    ])
    assert.deepEqual({ HTTP, KEYWORD, https, SSL }, expected[name])
    assert.equal(PORT, 'OK')
  })
}

for (const host of ['mute.test', 'broken.test']) {
  test(`${host}: every type that needs a name ends in time with DNS_ERROR`, async () => {
    const verdicts = await Promise.all([
      verdictOf(httpTarget(`http://${host}`)),
      verdictOf(keywordTarget(`https://${host}`)),
      verdictOf({ type: 'SSL', url: host, verifySsl: true, timeoutSeconds: 1 }),
      verdictOf({ type: 'PORT', host, port: 80, timeoutSeconds: 1 }),
      verdictOf({ type: 'PING', host, timeoutSeconds: 1 }),
      verdictOf({
        type: 'DNS',
        url: host,
        dnsRecordType: 'MX',
        dnsExpected: null,
        timeoutSeconds: 1,
      }),
    ])
    assert.deepEqual(
      verdicts,
      Array.from({ length: 6 }, () => 'DNS_ERROR'),
    )
  })
}

test('200 mute targets at once do not delay a healthy one', async (t) => {
  const { port, close } = await hostile.startHostile(hostile.mute)
  t.after(close)
  let ended = 0
  const hanging = Array.from({ length: 100 }, () => [
    httpTarget(`http://127.0.0.1:${port}`),
    httpTarget('http://mute.test'),
  ])
    .flat()
    .map((target) => verdictOf(target, MUTE_BUDGET_MS).finally(() => ended++))
  const before = process.threadCpuUsage()
  assert.equal(await verdictOf({ type: 'PORT', host: '127.0.0.1', port, timeoutSeconds: 1 }), 'OK')
  const { user, system } = process.threadCpuUsage(before)
  // Neither waiting for one of them to end nor the work that they cause delays it.
  assert.equal(ended, 0)
  assert.ok((user + system) / 1000 < 250, `${(user + system) / 1000} ms of processor time`)
  assert.equal((await Promise.all(hanging)).length, 200)
})

for (const encoding of ['gzip', 'br', 'zstd'] as const) {
  test(`a ${encoding} bomb of 256 MiB is read to the cap and costs less than 10 MiB`, async (t) => {
    const packed = await hostile.packBomb(encoding)
    const { port, close } = await hostile.startHostile(hostile.bomb(encoding, packed))
    t.after(close)
    const target = keywordTarget(`http://127.0.0.1:${port}`)
    assert.equal(await verdictOf(target), 'KEYWORD_MISSING')

    const growths: number[] = []
    for (let round = 0; round < ATTEMPTS; round++)
      growths.push(
        await growthDuring(async () => {
          assert.equal(await verdictOf(target), 'KEYWORD_MISSING')
        }),
      )
    const least = Math.min(...growths)
    assert.ok(least < MOST_GROWTH_BYTES, `${Math.round(least / 1024)} KiB`)
  })
}

/** The largest increase of the process's memory while `work` ran. */
async function growthDuring(work: () => Promise<void>): Promise<number> {
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 2)
  const before = process.memoryUsage.rss()
  await work()
  clearInterval(watch)
  return Math.max(peak, process.memoryUsage.rss()) - before
}

// What an author of a check gets without having thought of it, shown by checks written as briefly as possible.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import * as hostile from '../../test/kit/targets/hostile.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import { openOutboundConnection } from '../outbound/outbound-connection.ts'
import type { Check, CheckFinding } from './check.ts'
import { createRegistrationCache } from './registration.ts'
import { runGuarded } from './run-guarded.ts'

type Target = { host: string; port: number }
type Run = Check<Target>['run']

const BUDGET_MS = 400
const fixture = await openAttemptFixture()
after(() => fixture.close())

/** A line protocol, such as the one of Redis. */
const ping: Run = async (to, { connect, elapsedMs }) => {
  const { exchange } = await connect(to)
  const isComplete = (received: Buffer) => received.includes('\n')
  const reply = await exchange('PING\r\n', { maxBytes: 64, isComplete })
  return { outcome: 'OK', responseMs: elapsedMs(), dnsAnswers: [reply.toString()] }
}

/** The same, in two steps, with a response that ends when the target closes. */
const pingThenQuit: Run = async (to, context) => {
  const { exchange } = await context.connect(to)
  await exchange('PING\r\n', { maxBytes: 64, isComplete: (received) => received.includes('\n') })
  const rest = await exchange('QUIT\r\n', { maxBytes: 64 })
  return { outcome: 'OK', dnsAnswers: [rest.toString()] }
}

const passesBlindly: Run = async (to, { connect }) => {
  await connect(to)
  return { outcome: 'OK' }
}

/** It waits for something that never happens, with the signal that it is given. */
const waits: Run = async (to, { connect, signal }) => {
  await connect(to)
  await once(new EventTarget(), 'never', { signal })
  return { outcome: 'OK' }
}

const throwsReason: Run = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** It reads a response by hand, so that the deadline closes the stream under it. */
const readsByHand: Run = async ({ host, port }, { request }) => {
  const url = new URL(`http://${host}:${port}/`)
  const reply = await request({ url, method: 'GET', headers: {}, verifySsl: true })
  await Array.fromAsync(reply.message)
  return { outcome: 'OK' }
}

const hasBug: Run = async (_, { signal }) => {
  await once(signal, 'abort')
  throw new TypeError('undefined is not a function')
}

/** Answers PING in two pieces, and closes after QUIT. */
const polite: hostile.Hostility = (socket) => {
  socket.on('data', (data) => {
    if (data.toString() === 'QUIT\r\n') return void socket.end('BYE\r\n')
    socket.write('+PO')
    setTimeout(() => socket.write('NG\r\n'), 20)
  })
}

// biome-ignore format: a table is read by its columns
const rows: [what: string, run: Run, target: hostile.Hostility, expected: string][] = [
  ['a line is passed',                   ping,          polite,                'OK'],
  ['two steps on one connection',        pingThenQuit,  polite,                'OK'],
  ['silent',                             ping,          hostile.mute,          'TIMEOUT'],
  ['never reads',                        ping,          hostile.zeroWindow,    'TIMEOUT'],
  ['one byte at a time',                 ping,          hostile.drip('x'),     'TIMEOUT'],
  ['closes at once',                     ping,          hostile.halfClose,     'CONNECTION_RESET'],
  ['resets at once',                     ping,          hostile.resetAtOnce,   'CONNECTION_RESET'],
  ['closes in the middle',               ping,          hostile.says('+PO'),   'CONNECTION_RESET'],
  ['endless',                            ping,          hostile.endless,       'INVALID_RESPONSE'],
  ['closes before the second step',      pingThenQuit,  hostile.says('+\r\n'), 'CONNECTION_RESET'],
  ['silent in the second step',          pingThenQuit,  hostile.greets('+\n'), 'TIMEOUT'],
  ['passes without a response',          passesBlindly, polite,                'PROBE_ERROR the check passed without a response'],
  ['waits with the signal',              waits,         hostile.mute,          'TIMEOUT'],
  ['throws the reason of the signal',    throwsReason,  hostile.mute,          'TIMEOUT'],
  ['reads by hand, one byte at a time',  readsByHand,   hostile.dripBody,      'TIMEOUT'],
  ['reads by hand, a reset',             readsByHand,   hostile.resetMidBody,  'CONNECTION_RESET'],
  ['a bug after the deadline is ours',   hasBug,        hostile.mute,          'PROBE_ERROR TypeError'],
]
for (const [what, run, behave, expected] of rows)
  test(`runGuarded: ${what} -> ${expected}`, async (t) => {
    const { port, close } = await hostile.startHostile(behave)
    t.after(close)
    assert.equal(toVerdict(await find(run, port)), expected)
  })

test('runGuarded: without a response, only a check that needs none passes', async (t) => {
  const { port, close } = await listen(createServer())
  t.after(close)
  assert.equal(toVerdict(await find(passesBlindly, port, { needsNoResponse: true })), 'OK')
})

test('exchange: the response of the first step is not mixed with that of the second', async (t) => {
  const { port, close } = await hostile.startHostile(polite)
  t.after(close)
  const [first, second] = [await find(ping, port), await find(pingThenQuit, port)]
  assert.ok(first.outcome === 'OK' && second.outcome === 'OK')
  assert.deepEqual([first.dnsAnswers, second.dnsAnswers], [['+PONG\r\n'], ['BYE\r\n']])
  assert.equal(typeof first.timings?.firstByteMs, 'number')
})

async function find(run: Run, port: number, given: Partial<Check<Target>> = {}) {
  const late = new AbortController()
  const startMs = performance.now()
  const timer = setTimeout(() => late.abort('The attempt is over'), BUDGET_MS)
  const context = {
    ...openOutboundConnection(fixture.outbound, late.signal),
    budgetMs: BUDGET_MS,
    elapsedMs: () => performance.now() - startMs,
    now: () => new Date(),
    registry: { bootstrapUrl: '', whoisServer: '', cache: createRegistrationCache(1) },
  }
  const target = { host: '127.0.0.1', port }
  const check: Check<Target> = { toTarget: () => target, run, ...given }
  try {
    return await runGuarded(check, target, context)
  } finally {
    clearTimeout(timer)
    late.abort()
  }
}

function toVerdict(finding: CheckFinding): string {
  if (finding.outcome === 'OK') return 'OK'
  if (finding.outcome === 'FAILED') return finding.causeCode
  return `${finding.reason} ${finding.detail.split(':')[0]}`
}

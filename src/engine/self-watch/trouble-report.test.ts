import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HealthSignal, Trouble, TroubleCode } from '../../domain/operating/trouble.ts'
import { openLog } from '../../platform/observability/log.ts'
import { type TroubleChange, TroubleReport } from './trouble-report.ts'

const { log } = openLog('silent')
const trouble = (code: TroubleCode): Trouble => ({
  code,
  subject: '',
  message: code,
  since: new Date(1000),
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Fakes for the stored reports, the operator's inbox, and the heartbeat. */
function world(stored: Trouble[] = []) {
  const state = {
    stored,
    emails: [] as string[],
    calls: [] as HealthSignal[],
    accepts: true,
    saves: true,
  }
  const report = new TroubleReport({
    log,
    everySeconds: 30,
    call: async (signal) => void state.calls.push(signal),
    notify: async ({ trouble: { code }, isOver }: TroubleChange) => {
      if (state.accepts) state.emails.push(`${isOver ? 'end' : 'begin'} ${code}`)
      return state.accepts
    },
    save: async (reported) => {
      if (!state.saves) throw new Error('read-only')
      state.stored = [...reported]
    },
    add: async (reported) => {
      if (!state.saves) throw new Error('read-only')
      state.stored = [...state.stored, ...reported]
    },
  })
  const round = async (...codes: TroubleCode[]) => {
    const troubles = codes.map(trouble)
    report.send({ troubles, current: troubles, signal: codes.length > 0 ? 'FAIL' : 'WELL' })
    await settled()
  }
  return { state, report, round }
}

test('one email when a trouble begins and one when it is over', async () => {
  const { state, round } = world()
  await round('NO_BUS')
  await round('NO_BUS')
  await round('NO_BUS', 'CLOCK_OFF')
  await round('CLOCK_OFF')
  await round()
  assert.deepEqual(state.emails, ['begin NO_BUS', 'begin CLOCK_OFF', 'end NO_BUS', 'end CLOCK_OFF'])
  assert.deepEqual(state.stored, [])
})

test('an email that is refused is tried again, unless the trouble is over by then', async () => {
  const { state, round } = world()
  state.accepts = false
  await round('NO_BUS', 'CLOCK_OFF')
  await round('CLOCK_OFF')
  state.accepts = true
  await round('CLOCK_OFF')
  await round()
  assert.deepEqual(state.emails, ['begin CLOCK_OFF', 'end CLOCK_OFF'])
})

test('a trouble that is about to end is not reported any more', async () => {
  const { state, report } = world()
  report.send({ troubles: [trouble('NO_BUS')], current: [], signal: 'FAIL' })
  await settled()
  assert.deepEqual(state.emails, [])
})

test('no email about the relay, but a call', async () => {
  const { state, round } = world()
  await round('RELAY_REFUSES')
  await round()
  assert.deepEqual([state.emails, state.calls[0]], [[], 'FAIL'])
})

test('another process continues: no email twice, and the end is told', async () => {
  const { state, report, round } = world([trouble('NO_BUS')])
  assert.deepEqual(report.adopt(state.stored), [trouble('NO_BUS')])
  await round('NO_BUS')
  await round()
  assert.deepEqual(state.emails, ['end NO_BUS'])
})

test('what could not be saved is left to the next process as soon as it can be', async () => {
  const { state, report, round } = world()
  state.saves = false
  await round('WRITES_FAIL')
  await assert.rejects(report.yield())
  assert.deepEqual(state.stored, [])
  state.saves = true
  await report.yield()
  assert.deepEqual(state.stored, [trouble('WRITES_FAIL')])
  assert.deepEqual(report.reported, [])
})

test('many troubles at once: five emails in a round, the others in the next', async () => {
  const { state, round } = world()
  const codes: TroubleCode[] = [
    'NO_API',
    'NO_JANITOR',
    'CLOCK_OFF',
    'DISK_FILLING',
    'PARTITIONS_MISSING',
    'CONFIGURATION_DIFFERS',
  ]
  await round(...codes)
  assert.equal(state.emails.length, 5)
  await round(...codes)
  assert.equal(state.emails.length, 6)
})

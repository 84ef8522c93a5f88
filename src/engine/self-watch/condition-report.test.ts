import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition, ConditionCode, HealthSignal } from '../../domain/operating/condition.ts'
import { openLog } from '../../platform/observability/log.ts'
import { type ConditionChange, ConditionReport } from './condition-report.ts'

const { log } = openLog('silent')
const condition = (code: ConditionCode): Condition => ({
  code,
  subject: '',
  message: code,
  since: new Date(1000),
})
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Fakes for the stored reports, the operator's inbox, and the heartbeat. */
function world(stored: Condition[] = []) {
  const state = {
    stored,
    emails: [] as string[],
    calls: [] as HealthSignal[],
    accepts: true,
    saves: true,
  }
  const report = new ConditionReport({
    log,
    everySeconds: 30,
    call: async (signal) => void state.calls.push(signal),
    notify: async ({ condition: { code }, isOver }: ConditionChange) => {
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
  const round = async (...codes: ConditionCode[]) => {
    const conditions = codes.map(condition)
    report.send({ conditions, current: conditions, signal: codes.length > 0 ? 'FAIL' : 'WELL' })
    await settled()
  }
  return { state, report, round }
}

test('one email when a condition begins and one when it is over', async () => {
  const { state, round } = world()
  await round('NO_BUS')
  await round('NO_BUS')
  await round('NO_BUS', 'CLOCK_OFF')
  await round('CLOCK_OFF')
  await round()
  assert.deepEqual(state.emails, ['begin NO_BUS', 'begin CLOCK_OFF', 'end NO_BUS', 'end CLOCK_OFF'])
  assert.deepEqual(state.stored, [])
})

test('an email that is refused is tried again, unless the condition is over by then', async () => {
  const { state, round } = world()
  state.accepts = false
  await round('NO_BUS', 'CLOCK_OFF')
  await round('CLOCK_OFF')
  state.accepts = true
  await round('CLOCK_OFF')
  await round()
  assert.deepEqual(state.emails, ['begin CLOCK_OFF', 'end CLOCK_OFF'])
})

test('a condition that is about to end is not reported any more', async () => {
  const { state, report } = world()
  report.send({ conditions: [condition('NO_BUS')], current: [], signal: 'FAIL' })
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
  const { state, report, round } = world([condition('NO_BUS')])
  assert.deepEqual(report.adopt(state.stored), [condition('NO_BUS')])
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
  assert.deepEqual(state.stored, [condition('WRITES_FAIL')])
  assert.deepEqual(report.reported, [])
})

test('many conditions at once: five emails in a round, the others in the next', async () => {
  const { state, round } = world()
  const codes: ConditionCode[] = [
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

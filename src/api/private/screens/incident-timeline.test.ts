import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTimeline } from './incident-timeline.ts'

const UUID = '01890000-0000-7000-8000-000000000000'
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

function attempt(number: number, second: number) {
  const startedAt = at(second).toISOString()
  return { number, startedAt, outcome: 'FAILED', region: 'eu', causeCode: 'TIMEOUT' }
}

test('an incident that began with its first failure was opened by the attempt that confirmed it', () => {
  const opened = { checkId: 'chk_1', location: 'eu', attempts: [attempt(1, 0), attempt(2, 5)] }
  const line = (type: 'OPENED' | 'RESOLVED', second: number) => ({
    uuid: UUID,
    type,
    at: at(second),
    message: '',
  })
  const lines = toTimeline(
    { timeline: [line('OPENED', 1), line('RESOLVED', 9)], evidence: { OPENED: opened } },
    { alerts: [], webhooks: [], notes: [] },
  )
  assert.deepEqual(
    lines.map(({ type }) => type),
    ['FAILED', 'CONFIRMED', 'OPENED', 'RESOLVED'],
  )
  assert.deepEqual(
    lines.map((one) => one.at.getTime() - at(0).getTime()),
    [0, 5000, 5000, 9000],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleWindow } from '../../../test/samples/window.ts'
import { afterEdge, dueEdge, nextEdgeAt } from './edges.ts'

const at = (time: string, day = 14) => new Date(`2026-11-${day}T${time}Z`)
const far = at('00:00')

/** Which edge is due, and when: from and to, or the reported time. */
type Due = [edge: 'COVER' | 'START' | 'END', ...times: string[]] | null
type Row = [why: string, done: 'nothing' | 'covered' | 'started', now: string, due: Due]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['far away',                      'nothing', '01:58:59.999', null],
  ['a minute before',               'nothing', '01:59:00.000', ['COVER', '02:00', '03:00']],
  ['nobody came before it began',   'nothing', '02:30:00.000', ['COVER', '02:00', '03:00']],
  ['nobody came before it ended',   'nothing', '09:00:00.000', ['COVER', '02:00', '03:00']],
  ['covered, not yet there',        'covered', '01:59:59.999', null],
  ['its start',                     'covered', '02:00:00.000', ['START', '02:00']],
  ['a late start has its own time', 'covered', '09:00:00.000', ['START', '02:00']],
  ['under way',                     'started', '02:59:59.999', null],
  ['its end',                       'started', '03:00:00.000', ['END', '03:00']],
  ['a late end has its own time',   'started', '09:00:00.000', ['END', '03:00']],
]
for (const [why, done, now, due] of rows)
  test(`edge: ${why}`, () => {
    const window = sampleWindow({ covered: done !== 'nothing', started: done === 'started' })
    const edge = dueEdge(window, at(now))
    assert.equal(edge?.do, due?.[0])
    const times = edge && (edge.do === 'COVER' ? [edge.from, edge.to] : [edge.at])
    assert.deepEqual(
      times,
      due?.slice(1).map((time) => at(time)),
    )
    const edgeAt = nextEdgeAt(window)
    assert.equal(edgeAt !== null && edgeAt <= at(now), due !== null)
  })

test('edge: a window made late counts from then, and starts then', () => {
  const late = sampleWindow({ countsFrom: at('02:20') })
  assert.deepEqual(dueEdge(late, at('02:20')), { do: 'COVER', from: at('02:20'), to: at('03:00') })
  const { occurrence } = late
  const covered = { ...late, covered: true }
  assert.deepEqual(dueEdge(covered, at('02:20')), { do: 'START', at: at('02:20'), occurrence })
})

test('edge: one without an occurrence left has none', () => {
  const over = sampleWindow({ occurrence: null })
  assert.equal(nextEdgeAt(over), null)
  assert.equal(dueEdge(over, at('09:00')), undefined)
})

test('edge: after its end comes the next occurrence, also when that is long over', () => {
  const rule = { interval: 1, daysOfWeek: null, dayOfMonth: null, endsAt: at('02:00', 16) }
  let window = sampleWindow({ recurrence: { frequency: 'DAILY', ...rule } })
  const seen: string[] = []
  for (let edge = dueEdge(window, at('00:00', 28)); edge; edge = dueEdge(window, at('00:00', 28))) {
    const instant = edge.do === 'COVER' ? edge.from : edge.at
    seen.push(`${edge.do} ${instant.toISOString().slice(8, 16)}`)
    window = afterEdge(window, edge)
  }
  const days = ['14', '15']
  const expected = days.flatMap((day) => [
    `COVER ${day}T02:00`,
    `START ${day}T02:00`,
    `END ${day}T03:00`,
  ])
  assert.deepEqual(seen, expected)
  assert.equal(window.occurrence, null)
})

test('edge: nothing is due of a window that was just brought up to date', () => {
  const window = sampleWindow()
  assert.equal(dueEdge(window, far), undefined)
})

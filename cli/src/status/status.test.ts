import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Ext } from '@upvane/sdk'
import fc from 'fast-check'
import { widthOf } from '../terminal/width.ts'
import { type Snapshot, toFrame, toStatusLines } from './frame.ts'
import { enterScreen, toChanges } from './screen.ts'
import { type Watched, watch } from './watch.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const plain = (_style: string, text: string): string => text

const incident = (monitorName: string, cause = 'HTTP 503, expected 200'): Ext.OpenIncident => ({
  id: 'inc_1',
  monitorId: 'mon_1',
  causeCode: 'UNEXPECTED_STATUS',
  monitorName,
  cause,
  startedAt: '2026-11-16T11:55:00Z',
  acknowledged: false,
})

function snapshotOf(incidents: Ext.OpenIncident[], degraded: string[] = []): Snapshot {
  const overview: Ext.Overview = {
    at: '2026-11-16T12:00:00Z',
    monitors: {
      all: 40,
      DOWN: incidents.length,
      DEGRADED: degraded.length,
      PENDING: 0,
      UP: 38,
      PAUSED: 1,
    },
    incidents: { ongoing: incidents.length, unacknowledged: 0, latest: incidents },
    maintenanceWindows: { now: [], next: [] },
  }
  return { overview, degraded, readAt: NOW }
}

const at = (columns: number, rows: number, now = NOW) => ({ columns, rows, now, paint: plain })

test('counts, incidents and their age', () => {
  assert.deepEqual(toStatusLines(snapshotOf([incident('Checkout')]), at(80, 24)), [
    '1 down  0 degraded  38 up  0 pending  1 paused',
    '',
    'INCIDENT  CAUSE                   STARTED    ACK',
    'Checkout  HTTP 503, expected 200  5 min ago  no',
  ])
  assert.deepEqual(toStatusLines(snapshotOf([], ['Cart', 'Blog']), at(80, 24)).slice(1), [
    '',
    'Degraded: Cart, Blog',
    '',
    'No open incidents.',
  ])
})

test('maintenance that is active and the next ones', () => {
  const snapshot = snapshotOf([])
  const occurrence = {
    id: 'mw_1',
    startsAt: '2026-11-16T11:00:00Z',
    endsAt: '2026-11-16T13:00:00Z',
    allMonitors: false,
  }
  snapshot.overview.maintenanceWindows.now.push({ ...occurrence, name: 'Patches' })
  snapshot.overview.maintenanceWindows.next.push({ ...occurrence, name: 'Later' })
  const [, patches = '', later = ''] = toStatusLines(snapshot, at(80, 24)).slice(-3)
  assert.match(patches, /^Patches {6}until 2026-11-1\d /)
  assert.match(later, /^Later {8}from 2026-11-1\d /)
})

test('a lost connection is said, with the age of what is shown', () => {
  const later = new Date(NOW.getTime() + 25_000)
  const lost = { lostAt: new Date(NOW.getTime() + 5000), reason: 'ECONN\u001b[2J' }
  const frame = toFrame(snapshotOf([]), lost, at(80, 24, later))
  assert.deepEqual(frame.slice(-2), [
    'Connection lost 20 s ago. Showing data that is 25 s old.',
    'Retrying: ECONN\uFFFD[2J',
  ])
  assert.deepEqual(toFrame(null, lost, at(80, 24, later)), [
    'Connection lost 20 s ago. Nothing was read yet.',
    'Retrying: ECONN\uFFFD[2J',
  ])
  assert.deepEqual(toFrame(null, null, at(80, 24)), ['Connecting. Ctrl-C ends.'])
  assert.deepEqual(toFrame(snapshotOf([]), null, at(80, 24, later)).slice(-1), [
    'Updated 25 s ago. Ctrl-C ends.',
  ])
})

test('every frame fits its terminal, and the connection is always in view', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 100 }), { maxLength: 40 })
  const size = fc.tuple(fc.integer({ min: 10, max: 200 }), fc.integer({ min: 5, max: 60 }))
  fc.assert(
    fc.property(texts, texts, size, fc.boolean(), (names, slow, [columns, rows], isLost) => {
      const snapshot = snapshotOf(
        names.map((name) => incident(name, name)),
        slow,
      )
      const lost = isLost ? { lostAt: NOW, reason: 'ECONNREFUSED' } : null
      const frame = toFrame(snapshot, lost, at(columns, rows))
      assert.ok(frame.length <= rows, `${frame.length} lines`)
      for (const line of frame) {
        assert.ok(widthOf(line) <= columns, line)
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }
      assert.match(frame.at(isLost ? -2 : -1) ?? '', isLost ? /^Connecti/ : /^Updated/)
    }),
  )
})

/** Enough of a terminal to see what a screen shows. */
class Terminal {
  lines: string[] = []
  written = ''

  write(text: string): void {
    this.written += text
    for (const piece of text.split('\u001b[')) {
      const [, row, line = ''] = /^(\d+);1H(.*)$/.exec(piece) ?? []
      if (row !== undefined) this.lines[Number(row) - 1] = line
    }
  }
}

test('after each frame the terminal shows it, and an equal frame writes nothing', () => {
  const lines = fc.array(fc.constantFrom('', 'a', 'b', 'long line'), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 10 }), (frames) => {
      const terminal = new Terminal()
      const screen = enterScreen(terminal)
      for (const frame of frames) {
        screen.draw(frame)
        const before = terminal.written
        screen.draw(frame)
        assert.equal(terminal.written, before)
        const shown = Array.from({ length: 6 }, (_, index) => terminal.lines[index] ?? '')
        assert.deepEqual(
          shown,
          Array.from({ length: 6 }, (_, index) => frame[index] ?? ''),
        )
      }
      screen.leave()
      assert.ok(terminal.written.endsWith('\u001b[?25h\u001b[?1049l'), 'cursor and screen are back')
    }),
  )
})

test('only lines that changed are written', () => {
  assert.equal(toChanges(['a', 'b', 'c'], ['a', 'x', 'c']), '\u001b[2;1Hx\u001b[K')
  assert.equal(toChanges(['a', 'b'], ['a']), '\u001b[2;1H\u001b[K')
})

test('watch: reads again, keeps the last data while the connection is lost, and ends at once', async () => {
  const ending = new AbortController()
  const seen: Watched[] = []
  const answers = [
    snapshotOf([]),
    new Error('down'),
    new Error('down'),
    snapshotOf([incident('A')]),
  ]
  const read = async (): Promise<Snapshot> => {
    const answer = answers.shift()
    if (answer === undefined) return new Promise(() => undefined)
    await delay(1)
    if (answer instanceof Error) throw answer
    return answer
  }
  const report = (watched: Watched): void => void seen.push(watched)
  const explain = (error: unknown): string => String((error as Error).message)
  const options = { read, explain, everyMs: 1, signal: ending.signal, report }
  const watching = watch({ ...options, read: raceWith(read, ending.signal) })
  while (seen.length < 4) await delay(1)
  ending.abort()
  await watching
  assert.deepEqual(
    seen.map(({ snapshot, connection }) => [snapshot?.overview.monitors.DOWN, connection?.reason]),
    [
      [0, undefined],
      [0, 'down'],
      [0, 'down'],
      [1, undefined],
    ],
  )
  assert.equal(seen[1]?.connection?.lostAt, seen[2]?.connection?.lostAt, 'since the first failure')
})

/** As the client does: an abort ends the request. */
function raceWith(read: () => Promise<Snapshot>, signal: AbortSignal) {
  return () =>
    Promise.race([
      read(),
      new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      ),
    ])
}

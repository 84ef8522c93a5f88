// The negative control: violations planted into a copy of a sound run. A judge that misses one of them would miss it in
// the product as well.
import { judge } from './judge.ts'
import type { EventRow, IncidentRow, ResultRow, Run } from './run.ts'

type Plant = {
  name: string
  /** One of these must be raised. */
  rules: readonly string[]
  /** False if the run contains nothing to plant it into. */
  into(run: Run): boolean
}

const newId = () => crypto.randomUUID()

/** Not the newest of its monitor or before a pause: that one may have been under way, so nobody misses it. */
function ran(run: Run): ResultRow | undefined {
  const scheduled = run.results.filter(({ kind }) => kind === 'SCHEDULED')
  return scheduled.find(
    ({ verdict, monitorNo, slotMs }) =>
      verdict === 'PASSED' &&
      stateOf(run, monitorNo) === 'UP' &&
      scheduled.some(
        (later) =>
          later.monitorNo === monitorNo &&
          later.slotMs > slotMs &&
          !wasPaused(run, monitorNo, slotMs, later.slotMs),
      ),
  )
}

function wasPaused(run: Run, monitorNo: number, fromMs: number, toMs: number): boolean {
  const uuid = run.monitors.find(({ no }) => no === monitorNo)?.uuid
  return run.events.some(
    ({ type, monitorUuid, atMs }) =>
      type === 'monitor.paused' && monitorUuid === uuid && atMs >= fromMs && atMs <= toMs,
  )
}

function stateOf(run: Run, monitorNo: number): string | undefined {
  return run.monitors.find(({ no }) => no === monitorNo)?.state
}

function recovered(run: Run): IncidentRow | undefined {
  const up = new Set(run.monitors.flatMap(({ uuid, state }) => (state === 'UP' ? uuid : [])))
  return run.incidents.find(
    ({ resolution, monitorUuid }) => resolution === 'RECOVERED' && up.has(monitorUuid),
  )
}

function change<T>(row: T | undefined, apply: (row: T) => void): boolean {
  if (row === undefined) return false
  apply(row)
  return true
}

function eventLike(event: EventRow, changes: Partial<EventRow>): EventRow {
  const id = newId()
  return { ...event, id, bodyId: id, ...changes }
}

const PLANTS: readonly Plant[] = [
  {
    name: 'a result is lost',
    rules: ['I1'],
    into: (run) => change(ran(run), (row) => run.results.splice(run.results.indexOf(row), 1)),
  },
  {
    name: 'a result is recorded twice',
    rules: ['I1'],
    into: (run) => change(ran(run), (row) => run.results.push({ ...row })),
  },
  {
    name: 'a slot that ran is also written off',
    rules: ['I1'],
    into: (run) =>
      change(ran(run), ({ monitorNo, slotMs }) => {
        const range = { monitorNo, fromMs: slotMs, toMs: slotMs, count: 1, reason: 'ENGINE_DOWN' }
        run.missed.push(range)
      }),
  },
  {
    name: 'a missed range counts wrong',
    rules: ['I1'],
    into: (run) => change(run.missed[0], (row) => void (row.count += 1)),
  },
  {
    name: 'a result lies off the grid',
    rules: ['I1'],
    into: (run) => change(ran(run), (row) => run.results.push({ ...row, slotMs: row.slotMs + 7 })),
  },
  {
    name: 'a monitor is no longer looked at',
    rules: ['I1'],
    into: (run) =>
      change(
        run.monitors.find(({ nextDueMs }) => nextDueMs !== null),
        (row) => void (row.nextDueMs = (row.nextDueMs ?? 0) - row.intervalSeconds * 10_000),
      ),
  },
  {
    name: 'a result without a probe',
    rules: ['I2'],
    into: (run) =>
      change(ran(run), ({ monitorNo }) => {
        const uuid = run.monitors.find(({ no }) => no === monitorNo)?.uuid
        run.hits = run.hits.filter(({ monitorUuid }) => monitorUuid !== uuid)
      }),
  },
  {
    name: 'a status that the target never answered',
    rules: ['I2'],
    into: (run) => change(ran(run), (row) => void (row.statusCode = 204)),
  },
  {
    name: 'a false alarm',
    rules: ['I2', 'I3'],
    into: (run) => change(ran(run), (row) => void (row.verdict = 'FAILED')),
  },
  {
    name: 'a failure that moved nobody',
    rules: ['I3'],
    into: (run) =>
      change(
        run.results.find(({ verdict }) => verdict === 'FAILED'),
        (row) => void (row.verdict = 'PASSED'),
      ),
  },
  {
    name: 'an event is lost',
    rules: ['I4'],
    into: (run) =>
      change(
        run.events.find(({ type }) => type === 'incident.opened'),
        (row) => run.events.splice(run.events.indexOf(row), 1),
      ),
  },
  {
    name: 'an event is published twice, under a new id',
    rules: ['I4'],
    into: (run) =>
      change(
        run.events.find(({ type }) => type === 'monitor.down'),
        (row) => run.events.splice(run.events.indexOf(row), 0, eventLike(row, {})),
      ),
  },
  {
    name: 'an incident twice for one outage',
    rules: ['I5'],
    into: (run) => change(run.incidents[0], (row) => run.incidents.push({ ...row, id: newId() })),
  },
  {
    name: 'an incident ends before it began',
    rules: ['I5'],
    into: (run) => change(recovered(run), (row) => void (row.resolvedMs = row.startedMs - 1)),
  },
  {
    name: 'an incident is left open',
    rules: ['I6'],
    into: (run) =>
      change(recovered(run), (row) => {
        row.resolvedMs = null
        row.resolution = null
      }),
  },
  {
    name: 'an alarm while paused',
    rules: ['I7'],
    into: (run) =>
      change(
        run.events.find(({ type }) => type === 'monitor.paused'),
        (row) => {
          const duplicate = eventLike(row, { type: 'monitor.down', bodyType: 'monitor.down' })
          run.events.splice(run.events.indexOf(row) + 1, 0, duplicate)
        },
      ),
  },
  {
    name: 'an id is given out twice',
    rules: ['I10'],
    into: (run) =>
      change(run.events[1], (row) => {
        row.id = run.events[0]?.id ?? ''
        row.bodyId = row.id
      }),
  },
  {
    name: 'attempts out of order',
    rules: ['I10'],
    into: (run) =>
      change(
        run.evidence.find(({ attempts }) => attempts.length > 1),
        ({ attempts }) => attempts.reverse(),
      ),
  },
  {
    name: 'an acknowledged call is lost',
    rules: ['R10'],
    into: (run) => {
      run.calls.push({ operation: 'createMonitor', monitorUuid: newId() })
      return true
    },
  },
]

type Control = { name: string; outcome: 'CAUGHT' | 'MISSED' | 'NO GROUND' }

/** The run itself must be sound: on top of other violations nothing would be proved. */
export function control(run: Run): Control[] {
  return PLANTS.map(({ name, rules, into }) => {
    const copy = structuredClone(run)
    if (!into(copy)) return { name, outcome: 'NO GROUND' }
    const raised = judge(copy).violations.map(({ rule }) => rule)
    return { name, outcome: rules.some((rule) => raised.includes(rule)) ? 'CAUGHT' : 'MISSED' }
  })
}

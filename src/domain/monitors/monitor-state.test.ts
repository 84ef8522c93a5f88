import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MonitorState } from './monitor.ts'
import {
  applyVerdict,
  changeType,
  type Fate,
  type IncidentEffect,
  type JudgedResult,
  type MonitorPosition,
  type PositionChange,
  pause,
  remove,
  resume,
  retarget,
  transition,
} from './monitor-state.ts'
import type { Verdict } from './verdict.ts'

const RUNS = Number(env['RUNS'] ?? 10_000)

type Row = [
  from: MonitorState,
  incidentOpen: boolean,
  verdict: Verdict,
  to: MonitorState,
  incident: IncidentEffect,
  announced: boolean,
]

// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // from      open?   verdict         to          incident   announced?
  ['PENDING',  false, 'PASSED',       'UP',       'NONE',    true],
  ['PENDING',  false, 'SLOW',         'DEGRADED', 'NONE',    true],
  ['PENDING',  false, 'FAILED',       'DOWN',     'OPEN',    true],
  ['PENDING',  false, 'INCONCLUSIVE', 'PENDING',  'NONE',    false],
  ['UP',       false, 'PASSED',       'UP',       'NONE',    false],
  ['UP',       false, 'SLOW',         'DEGRADED', 'NONE',    true], // DEGRADED never opens an incident
  ['UP',       false, 'FAILED',       'DOWN',     'OPEN',    true],
  ['UP',       false, 'INCONCLUSIVE', 'UP',       'NONE',    false],
  ['UP',       true,  'FAILED',       'DOWN',     'NONE',    true], // at most one is ongoing, whatever the state
  ['DEGRADED', false, 'PASSED',       'UP',       'NONE',    true],
  ['DEGRADED', false, 'SLOW',         'DEGRADED', 'NONE',    false],
  ['DEGRADED', false, 'FAILED',       'DOWN',     'OPEN',    true],
  ['DEGRADED', false, 'INCONCLUSIVE', 'DEGRADED', 'NONE',    false],
  ['DOWN',     true,  'PASSED',       'UP',       'RESOLVE', true],
  ['DOWN',     true,  'SLOW',         'DEGRADED', 'RESOLVE', true], // slow means reachable: the outage is over
  ['DOWN',     true,  'FAILED',       'DOWN',     'NONE',    false],
  ['DOWN',     true,  'INCONCLUSIVE', 'DOWN',     'NONE',    false],
  ['DOWN',     false, 'FAILED',       'DOWN',     'OPEN',    false], // went down in a window that is over
  ['DOWN',     false, 'PASSED',       'UP',       'NONE',    true],
  ['PAUSED',   false, 'PASSED',       'PAUSED',   'NONE',    false], // arrived after the pause
  ['PAUSED',   false, 'FAILED',       'PAUSED',   'NONE',    false],
]
for (const [state, incidentOpen, verdict, to, incident, announced] of rows) {
  test(`${state}${incidentOpen ? ' with an open incident' : ''}, check ${verdict} -> ${to}, incident ${incident}`, () => {
    const moved = transition({ state, incidentOpen }, verdict, false)
    assert.deepEqual(moved, { state: to, incident, announced })
  })
}

// biome-ignore format: a table is read by its columns
const maintenance: [from: MonitorState, open: boolean, verdict: Verdict, to: MonitorState, incident: IncidentEffect][] = [
  ['UP',      false, 'FAILED', 'DOWN',     'NONE'], // the state follows, no incident opens
  ['PENDING', false, 'FAILED', 'DOWN',     'NONE'],
  ['DOWN',    false, 'FAILED', 'DOWN',     'NONE'],
  ['DOWN',    true,  'FAILED', 'DOWN',     'NONE'], // opened before the window: stays, silently
  ['DOWN',    true,  'PASSED', 'UP',       'RESOLVE'], // and is resolved as usual
  ['DOWN',    true,  'SLOW',   'DEGRADED', 'RESOLVE'],
  ['UP',      false, 'SLOW',   'DEGRADED', 'NONE'],
]
for (const [state, incidentOpen, verdict, to, incident] of maintenance) {
  test(`in maintenance, ${state}${incidentOpen ? ' with an open incident' : ''}, check ${verdict} -> ${to}, incident ${incident}, no state event`, () => {
    const moved = transition({ state, incidentOpen }, verdict, true)
    assert.deepEqual(moved, { state: to, incident, announced: false })
  })
}

const AT = (second: number) => new Date(Date.UTC(2026, 10, 14, 22, 39, second))
const UP: MonitorPosition = { state: 'UP', incidentOpen: false, epoch: 3, lastSlot: AT(0) }
const DOWN: MonitorPosition = { ...UP, state: 'DOWN', incidentOpen: true }
const PAUSED: MonitorPosition = { ...UP, state: 'PAUSED' }
const landed = (second: number, verdict: Verdict, epoch = 3): JudgedResult => ({
  slot: AT(second),
  epoch,
  verdict,
  inMaintenance: false,
})

type ChangeRow = [
  name: string,
  change: (from: MonitorPosition) => PositionChange,
  from: MonitorPosition,
  to: Partial<MonitorPosition>,
  resolution?: PositionChange['resolution'],
]
// biome-ignore format: a table is read by its columns
const changes: ChangeRow[] = [
  ['pause',      pause,      UP,     { state: 'PAUSED', epoch: 4 },  'MONITOR_PAUSED'],
  ['pause',      pause,      DOWN,   { state: 'PAUSED', epoch: 4 },  'MONITOR_PAUSED'],
  ['pause',      pause,      PAUSED, {}],
  ['resume',     resume,     PAUSED, { state: 'PENDING', epoch: 4 }],
  ['resume',     resume,     DOWN,   {}],
  ['changeType', changeType, UP,     { state: 'PENDING', epoch: 4 }, 'MONITOR_CHANGED'],
  ['changeType', changeType, DOWN,   { state: 'PENDING', epoch: 4 }, 'MONITOR_CHANGED'],
  ['changeType', changeType, PAUSED, { epoch: 4 },                   'MONITOR_CHANGED'],
  ['retarget',   retarget,   DOWN,   { epoch: 4 }], // the outage lasts until the new target is checked
  ['retarget',   retarget,   PAUSED, { epoch: 4 }],
  ['remove',     remove,     DOWN,   { epoch: 4 },                   'MONITOR_DELETED'],
  ['remove',     remove,     UP,     { epoch: 4 },                   'MONITOR_DELETED'],
]
for (const [name, change, from, to, resolution = null] of changes) {
  test(`${name} of a monitor ${from.state} -> ${JSON.stringify(to)}, an open incident ${resolution ?? 'stays'}`, () => {
    const { state, epoch } = { ...from, ...to }
    assert.deepEqual(change(from), { state, epoch, resolution })
  })
}

// biome-ignore format: a table is read by its columns
const sequences: [why: string, arriving: JudgedResult[], steps: [Fate, MonitorState, IncidentEffect][]][] = [
  ['in the order of their slots',
    [landed(1, 'FAILED'), landed(2, 'FAILED'), landed(3, 'PASSED')],
    [['FOLDED', 'DOWN', 'OPEN'], ['FOLDED', 'DOWN', 'NONE'], ['FOLDED', 'UP', 'RESOLVE']]],
  ['after a newer one', // they are stored, and open no incident that is over
    [landed(3, 'PASSED'), landed(1, 'FAILED'), landed(2, 'FAILED')],
    [['FOLDED', 'UP', 'NONE'], ['LATE', 'UP', 'NONE'], ['LATE', 'UP', 'NONE']]],
]
for (const [why, arriving, expected] of sequences) {
  test(`results that arrive ${why}: ${expected.map(([fate]) => fate).join(', ')}`, () => {
    let position = UP
    const steps = arriving.map((result) => {
      const step = applyVerdict(position, result)
      position = step.position
      return [step.fate, position.state, step.incident]
    })
    assert.deepEqual(steps, expected)
    assert.deepEqual(position, { ...UP, lastSlot: AT(3) })
  })
}

// biome-ignore format: a table is read by its columns
const fates: [why: string, from: MonitorPosition, result: JudgedResult, fate: string][] = [
  ['the next slot',                     UP,     landed(1, 'FAILED'),       'FOLDED'],
  ['older than the last folded slot',   { ...UP, lastSlot: AT(5) }, landed(4, 'FAILED'), 'LATE'],
  ['the last folded slot again',        { ...UP, lastSlot: AT(5) }, landed(5, 'FAILED'), 'LATE'],
  ['of an old epoch',                   UP,     landed(1, 'FAILED', 2),    'SUPERSEDED'],
  ['the first ever',                    { ...UP, lastSlot: null }, landed(1, 'FAILED'), 'FOLDED'],
]
for (const [why, from, result, fate] of fates) {
  test(`a result that is ${why} is ${fate}`, () => {
    const step = applyVerdict(from, result)
    assert.equal(step.fate, fate)
    if (fate !== 'FOLDED') assert.deepEqual(step.position, from)
  })
}

// Runs random commands against a model that keeps incidents in a list and knows nothing of epochs.
// biome-ignore format: commands in groups
const COMMANDS = [
  'PASSED', 'SLOW', 'FAILED', 'FAILED', 'INCONCLUSIVE', 'stale',
  'pause', 'resume', 'changeType', 'retarget', 'window starts', 'window ends', 'delete',
] as const
type Command = (typeof COMMANDS)[number]

const CHANGES: Partial<Record<Command, (from: MonitorPosition) => PositionChange>> = {
  pause,
  resume,
  changeType,
  retarget,
  delete: remove,
}

type Model = {
  real: MonitorPosition
  incidents: { open: boolean }[]
  window: boolean
  second: number
}

function run(model: Model, command: Command): void {
  const before = model.real
  const change = CHANGES[command]
  if (command === 'window starts' || command === 'window ends') {
    model.window = command === 'window starts'
  } else if (change) {
    const { state, epoch, resolution } = change(before)
    const ends = resolution !== null && before.incidentOpen
    if (ends) close(model)
    model.real = { ...before, state, epoch, incidentOpen: before.incidentOpen && !ends }
  } else {
    land(model, command)
  }
  assertSound(model, before, command)
}

function land(model: Model, command: Command): void {
  const stale = command === 'stale'
  // Safe because every other command is handled above.
  const verdict = (stale ? 'FAILED' : command) as Verdict
  const epoch = model.real.epoch - (stale ? 1 : 0)
  model.second += 1
  const result = { slot: AT(model.second), epoch, verdict, inMaintenance: model.window }
  const { position, incident } = applyVerdict(model.real, result)
  if (stale) assert.deepEqual(position, model.real)
  if (incident === 'OPEN') model.incidents.push({ open: true })
  if (incident === 'RESOLVE') close(model)
  model.real = position
}

function close({ incidents }: Model): void {
  const open = incidents.filter((incident) => incident.open)
  assert.equal(open.length, 1, 'exactly one incident closes')
  for (const incident of open) incident.open = false
}

function assertSound(model: Model, before: MonitorPosition, command: Command): void {
  const { real, incidents, window } = model
  const open = incidents.filter((incident) => incident.open).length
  assert.equal(open, real.incidentOpen ? 1 : 0, 'at most one, and the position knows it')
  if (before.state === 'PAUSED' && real.state !== 'PAUSED') assert.equal(command, 'resume')
  if (command !== 'delete' && open === 1) assert.equal(real.state, 'DOWN')
  if (before.state === 'DOWN' && real.state !== 'DOWN') assert.equal(open, 0, 'an outage ended')
  if (command === 'FAILED' && !window && real.state === 'DOWN') assert.equal(open, 1)
}

test('no history of commands opens two incidents, leaves one open, or wakes a paused monitor', () => {
  const histories = fc.array(fc.constantFrom(...COMMANDS), { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(histories, (history) => {
      const real: MonitorPosition = {
        state: 'PENDING',
        incidentOpen: false,
        epoch: 1,
        lastSlot: null,
      }
      const model: Model = { real, incidents: [], window: false, second: 0 }
      for (const command of history) {
        run(model, command)
        if (command === 'delete') break
      }
    }),
    { numRuns: RUNS },
  )
})

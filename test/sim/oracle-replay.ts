// A monitor's history follows from its results and changes: replayed from the journal, transitions, incidents and
// events must come out the same.
import type { Simulation } from './simulation.ts'
import type { JournalEntry, MonitorRow, ResultRow } from './store.ts'

type Life = {
  state: string
  open: boolean
  epoch: number
  lastMs: number
  opened: number
  moves: string[]
  events: string[]
  wrong: string[]
}

export function replay({ store }: Simulation, { uuid, name }: MonitorRow): string[] {
  const { journal, events, incidents, monitors } = store.tables
  const own = journal.filter((entry) => entry.uuid === uuid)
  const life = newLife()
  for (const entry of own) relive(life, entry)

  const moved = own.flatMap((e) => (e.what === 'MOVED' ? [`${e.from} ${e.to} ${e.incident}`] : []))
  const published = [...events.values()]
    .filter((event) => event.uuid === uuid)
    .map(({ type }) => type)
  const opened = [...incidents.values()].filter((incident) => incident.uuid === uuid)
  const stillOpen = opened.filter(({ resolvedAt }) => resolvedAt === null).length
  const position = monitors.get(uuid)?.position
  const problems = [
    ...life.wrong,
    ...differing('moves', moved, life.moves),
    ...differing('events', published, life.events),
    ...(opened.length === life.opened
      ? []
      : [`${opened.length} incidents for ${life.opened} outages`]),
    ...(stillOpen === (life.open ? 1 : 0) ? [] : [`${stillOpen} incidents are open`]),
    ...(position && position.state !== life.state
      ? [`is ${position.state}, lived ${life.state}`]
      : []),
  ]
  return problems.map((problem) => `${name}: ${problem}`)
}

function newLife(): Life {
  const lists = { moves: [], events: [], wrong: [] }
  const start = { state: 'PENDING', open: false, epoch: 1, lastMs: Number.NEGATIVE_INFINITY }
  return { ...start, opened: 0, ...lists }
}

const IGNORED = new Set(['MOVED', 'CREATED', 'TRIED', 'HOME'])

function relive(life: Life, entry: JournalEntry): void {
  if (entry.what === 'RESULT') return applyResult(life, entry.row)
  if (IGNORED.has(entry.what)) return
  life.epoch += 1
  if (entry.what === 'RETARGETED') return
  if (life.open) life.events.push('incident.resolved')
  life.open = false
  if (entry.what === 'PAUSED') life.state = 'PAUSED'
  if (entry.what === 'RESUMED') life.state = 'PENDING'
}

function applyResult(life: Life, row: ResultRow): void {
  const fate = fateOf(life, row)
  if (fate !== row.fate) life.wrong.push(`${row.slot.toISOString()} was ${row.fate}, is ${fate}`)
  if (fate !== 'FOLDED') return
  life.lastMs = row.slot.getTime()
  if (row.verdict === 'INCONCLUSIVE' || life.state === 'PAUSED') return
  if (row.verdict === 'FAILED')
    move(life, 'DOWN', row.inMaintenance || life.open ? 'NONE' : 'OPEN', row)
  else move(life, 'UP', life.open ? 'RESOLVE' : 'NONE', row)
}

function fateOf(life: Life, row: ResultRow): string {
  if (row.epoch !== life.epoch) return 'SUPERSEDED'
  return row.slot.getTime() <= life.lastMs ? 'LATE' : 'FOLDED'
}

const ANNOUNCED = { OPEN: ['incident.opened'], RESOLVE: ['incident.resolved'], NONE: [] } as const

function move(life: Life, to: string, incident: keyof typeof ANNOUNCED, row: ResultRow): void {
  const isNew = to !== life.state
  if (isNew || incident !== 'NONE') life.moves.push(`${life.state} ${to} ${incident}`)
  if (isNew && !row.inMaintenance) life.events.push(`monitor.${to.toLowerCase()}`)
  life.events.push(...ANNOUNCED[incident])
  life.state = to
  if (incident === 'OPEN') life.opened += 1
  if (incident !== 'NONE') life.open = incident === 'OPEN'
}

function differing(what: string, found: readonly string[], expected: readonly string[]): string[] {
  const at = expected.findIndex((item, i) => item !== found[i])
  if (at === -1 && found.length === expected.length) return []
  const i = at === -1 ? expected.length : at
  return [`${what} differ at ${i}: ${found[i] ?? 'nothing'} instead of ${expected[i] ?? 'nothing'}`]
}

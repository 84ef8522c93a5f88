// Judges who decided about targets: nobody who never saw them work, no false DOWN, no hidden outage. What regions know is
// read again from the journal, without the rules of the engine.
import { isLive, isWithin, type Nature, presentRegions, type Region } from './nature.ts'
import type { Hit } from './network.ts'
import type { Simulation } from './simulation.ts'
import { look, siteOf, type Target } from './sites.ts'
import type { JournalEntry, MonitorRow, ResultRow } from './store.ts'
import type { World } from './world.ts'

const STEP_MS = 5_000
const LEASE_MS = 13_000
const HIDDEN_MS = 240_000
const DOUBT_MS = 180_000

/** What is known of a monitor's current target. */
type Knowledge = {
  state: string
  targetNo: number
  passed: Set<Region>
  lost: Set<Region>
  last: Region | null
  /** Where it passed first: another machine elsewhere is not the target. */
  first: Region | null
  chosenHome: Region | null
}

type Indexed = { index: number; entry: JournalEntry }

export type Judgment = {
  violations: string[]
  /** By the definitions for a judge; also among the violations. */
  falseDown: number
  hidden: number
  /** What the honest-looking lie of a probe caused. */
  byLies: number
}

export function judgeRegions(simulation: Simulation): Judgment {
  const judgment: Judgment = { violations: [], falseDown: 0, hidden: 0, byLies: 0 }
  const entries = simulation.store.tables.journal.map((entry, index) => ({ index, entry }))
  const own = Map.groupBy(entries, ({ entry }) => entry.uuid)
  const hits = Map.groupBy(simulation.network.hits, ({ job }) => job.id)
  for (const monitor of simulation.monitors) {
    if (monitor.type === 'CRON') continue
    const about = [...(own.get(monitor.uuid) ?? []), ...(own.get(monitor.org) ?? [])]
    const life = about.toSorted((a, b) => a.index - b.index)
    judgeResults(simulation, { monitor, life, hits, judgment })
    judgeSilence(simulation, { monitor, life, judgment })
    judgeEnd(simulation, { monitor, life, judgment })
  }
  return judgment
}

function ignorance(): Knowledge {
  const none = { passed: new Set<Region>(), lost: new Set<Region>(), last: null, first: null }
  return { state: 'PENDING', targetNo: 1, ...none, chosenHome: null }
}

function learn(known: Knowledge, entry: JournalEntry): void {
  if (entry.what === 'HOME') known.chosenHome = entry.home
  if (entry.what === 'MOVED') known.state = entry.to
  if (entry.what === 'PAUSED' || entry.what === 'DELETED') known.state = 'PAUSED'
  if (entry.what === 'RESUMED') known.state = 'PENDING'
  if (entry.what === 'RETARGETED') {
    known.targetNo += 1
    known.passed.clear()
    known.lost.clear()
    known.last = null
    known.first = null
  }
  if (entry.what === 'TRIED' && entry.passed && entry.targetNo === known.targetNo)
    prove(known, entry.region)
  if (entry.what === 'RESULT' && entry.row.fate === 'FOLDED') learnFrom(known, entry.row)
}

function learnFrom(known: Knowledge, { attempts }: ResultRow): void {
  const ok = attempts.find(({ outcome }) => outcome === 'OK')
  if (ok === undefined) return
  prove(known, ok.region)
  known.last = ok.region
  known.first ??= ok.region
  for (const { region, outcome, spoiled } of attempts)
    if (outcome === 'FAILED' && !spoiled && region !== ok.region && known.passed.has(region))
      known.lost.add(region)
}

function prove(known: Knowledge, region: Region): void {
  known.passed.add(region)
  known.lost.delete(region)
}

function baseOf(nature: Nature, known: Knowledge, ms: number): Region | undefined {
  const present = presentRegions(nature, ms)
  const home = present.find((region) => region === known.chosenHome) ?? present[0]
  if (home !== undefined && isProven(known, home)) return home
  return known.last ?? home
}

const isProven = ({ passed, lost }: Knowledge, region: Region) =>
  passed.has(region) && !lost.has(region)

type Life = { monitor: MonitorRow; life: readonly Indexed[]; judgment: Judgment }

function judgeResults(
  { nature }: Simulation,
  { monitor, life, hits, judgment }: Life & { hits: ReadonlyMap<string, readonly Hit[]> },
): void {
  const rows = life.flatMap(({ entry }) => (entry.what === 'RESULT' ? [entry.row] : []))
  const known = ignorance()
  let next = 0
  for (const row of rows.toSorted((a, b) => a.readAt - b.readAt)) {
    for (let one = life[next]; one && one.index < row.readAt; one = life[++next])
      learn(known, one.entry)
    const deciding = hits.get(row.answeredJobs.at(-1) ?? '') ?? []
    const base = baseOf(nature, known, row.beganMs)
    const problems = [
      ...askedWrongly(known, base, row),
      ...decidedWrongly(nature, known, { row, deciding, hits, judgment }),
    ]
    const where = `${monitor.name} ${row.slot.toISOString()}`
    judgment.violations.push(...problems.map((problem) => `${where}: ${problem}`))
  }
}

// Only the base and regions that saw the target work are asked, and only the base's response times are compared.
function askedWrongly(known: Knowledge, base: Region | undefined, row: ResultRow): string[] {
  const strangers = row.attempts.filter(({ region }) => region !== base && !isProven(known, region))
  const last = row.attempts.at(-1)
  const isMisjudged = row.verdict === 'PASSED' && row.sampled !== (last?.region === base)
  return [
    ...strangers.map(
      ({ region }) => `${region} was asked, and never saw it work (${base} is base)`,
    ),
    ...(isMisjudged ? [`${last?.region} ${row.sampled ? 'counts' : 'does not'}`] : []),
  ]
}

type Decision = {
  row: ResultRow
  deciding: readonly Hit[]
  hits: ReadonlyMap<string, readonly Hit[]>
  judgment: Judgment
}

function decidedWrongly(nature: Nature, known: Knowledge, decision: Decision): string[] {
  const { row, deciding, judgment } = decision
  if (row.reason === 'EGRESS')
    return deciding.every(({ sight }) => sight.kind === 'REFUSED')
      ? ['EGRESS, but the target refused']
      : []
  if (row.verdict === 'INCONCLUSIVE') return []
  if (deciding.some(({ lied }) => lied)) {
    judgment.byLies += 1
    return []
  }
  const didAnswer = deciding.some(({ sight }) => sight.kind === 'OK')
  if (row.verdict !== 'FAILED') return didAnswer ? [] : ['PASSED, but the target did not answer']
  if (!deciding.some(({ sight }) => sight.kind !== 'OK')) {
    judgment.falseDown += 1
    return ['FALSE DOWN: the target answered in the region that decided']
  }
  const isOurRule = deciding.every(
    ({ sight, job }) => sight.kind === 'NOT_ALLOWED' && known.passed.has(job.region),
  )
  if (isOurRule) return ['FAILED, because a probe may not go there any more']
  return known.state !== 'DOWN' && isCutOnly(nature, decision) ? ['FAILED by our own cut'] : []
}

// Certain only where a control target is asked, the cut is young and lasts, and no other region confirmed it.
function isCutOnly(nature: Nature, { row, hits }: Decision): boolean {
  const all = row.answeredJobs.flatMap((id) => (id === null ? [] : (hits.get(id) ?? [])))
  const region = all[0]?.job.region
  const last = all.at(-1)
  if (region === undefined || last === undefined || !nature.controlled.has(region)) return false
  const fromMs = all[0]?.atMs ?? 0
  const toMs = last.atMs + last.job.budgetMs + STEP_MS
  const cuts = nature.cuts.get(region) ?? []
  const isCut = cuts.some((cut) => cut.fromMs <= fromMs && toMs < cut.toMs)
  const isYoung = cuts.every(
    (cut) => cut.fromMs > fromMs - DOUBT_MS / 2 || cut.toMs < fromMs - 2 * DOUBT_MS,
  )
  return (
    isCut &&
    isYoung &&
    all.every(
      ({ job, sight }) => job.region === region && sight.kind === 'SILENT' && !sight.isPrivate,
    ) &&
    all.every(({ atMs, job, isOld, lied }) => {
      if (isOld || lied) return false
      const whole = { ...nature, cuts: new Map() }
      return look(whole, job.monitor, region, atMs).kind === 'OK'
    })
  )
}

/** What does not start again the time in which an outage has to be seen. */
const GOES_ON: ReadonlySet<string> = new Set(['RESULT', 'TRIED', 'HOME'])

// Hidden: a target that answers nobody, for two intervals and four minutes without DOWN, although somebody who may
// decide could have seen it. Another machine of the same address, or behind the same name, is not the target.
function judgeSilence({ world, nature }: Simulation, { monitor, life, judgment }: Life): void {
  const limitMs = 2 * monitor.intervalSeconds * 1000 + HIDDEN_MS
  const known = ignorance()
  let next = 0
  let sinceMs: number | null = null
  const begin = life.find(({ entry }) => entry.what === 'CREATED')?.entry.atMs ?? 0
  for (let ms = begin; ms < world.endMs; ms += STEP_MS) {
    for (let one = life[next]; one && one.entry.atMs <= ms; one = life[++next]) {
      learn(known, one.entry)
      if (!GOES_ON.has(one.entry.what)) sinceMs = null
    }
    const target = { uuid: monitor.uuid, org: monitor.org, targetNo: known.targetNo }
    sinceMs = isOutage(nature, known, target, ms) ? (sinceMs ?? ms) : null
    if (sinceMs === null) continue
    const spoiledMs = life.reduce((sum, { entry }) => sum + stalledMs(entry, sinceMs ?? ms), 0)
    if (ms - sinceMs <= limitMs + spoiledMs + excusedMs(world, monitor, sinceMs, ms)) continue
    if (isLyingWithin(nature, sinceMs, ms)) judgment.byLies += 1
    else reportHidden(judgment, monitor, `${siteOf(nature, target).kind} since ${toIso(sinceMs)}`)
    return
  }
}

function reportHidden(judgment: Judgment, { name }: MonitorRow, what: string): void {
  judgment.hidden += 1
  judgment.violations.push(`${name}: HIDDEN outage of ${what}`)
}

const toIso = (ms: number): string => new Date(ms).toISOString()

// A check that was on its way starts again, with another lease.
function excusedMs(world: World, { timeoutSeconds }: MonitorRow, fromMs: number, toMs: number) {
  const againMs = 2 * timeoutSeconds * 1000 + LEASE_MS
  const within = world.disturbances.filter(
    ({ atMs, forMs }) => atMs + forMs + LEASE_MS >= fromMs && atMs < toMs,
  )
  return within.reduce((sum, { forMs }) => sum + forMs + againMs, 0)
}

/** How long a check took that a stall of the probe spoiled twice: it says nothing, and with a long timeout outlasts slots. */
function stalledMs(entry: JournalEntry, sinceMs: number): number {
  if (entry.what !== 'RESULT' || entry.row.reason !== 'STALLED') return 0
  return entry.row.beganMs >= sinceMs ? entry.atMs - entry.row.beganMs : 0
}

function isOutage(nature: Nature, known: Knowledge, target: Target, ms: number): boolean {
  const base = baseOf(nature, known, ms)
  const isWatched = known.state !== 'PAUSED' && known.state !== 'DOWN'
  if (base === undefined || !isWatched) return false
  const { views } = siteOf(nature, target)
  const { host } = views[known.first ?? base]
  const seen = nature.regions.map((region) => ({ region, ...look(nature, target, region, ms) }))
  if (seen.some((sight) => sight.kind === 'OK' && sight.host === host)) return false
  return seen.some(
    ({ region, kind }) =>
      (region === base || isProven(known, region)) &&
      kind !== 'NO_ROUTE' &&
      kind !== 'NOT_ALLOWED' &&
      !isNonsense(nature, region, ms) &&
      !isWithin(nature.deadRegions.get(region), ms) &&
      isLive(nature, region, ms),
  )
}

function isNonsense(nature: Nature, region: Region, ms: number): boolean {
  const lies = nature.lies.get(region) ?? []
  return lies.some(({ mode, fromMs, toMs }) => mode === 'NONSENSE' && fromMs <= ms && ms < toMs)
}

function isLyingWithin(nature: Nature, fromMs: number, toMs: number): boolean {
  return [...nature.lies.values()]
    .flat()
    .some((lie) => lie.mode !== 'NONSENSE' && lie.fromMs < toMs && fromMs < lie.toMs)
}

// In the quiet time everything answers: every region that may decide must have seen it.
function judgeEnd({ world, nature, store }: Simulation, { monitor, life, judgment }: Life): void {
  const row = store.tables.monitors.get(monitor.uuid)
  if (row === undefined) return
  const known = ignorance()
  for (const { entry } of life) learn(known, entry)
  const base = baseOf(nature, known, world.endMs)
  const isVisible = base !== undefined && look(nature, row, base, world.endMs).kind === 'OK'
  if (isVisible && row.position.state !== 'UP')
    judgment.violations.push(`${monitor.name}: ends ${row.position.state}`)
}

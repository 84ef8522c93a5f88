// What really happens in one simulation, decided from its seed before anything starts: the judge knows it, and the
// product has to find out.
import type { Rng } from '../rng.ts'
import { createWindow, type SimWindow } from './windows.ts'

export type Spell = { fromMs: number; toMs: number }
type Failure = Spell & { how: 'REFUSED' | 'SILENT' | 'STATUS' | 'CLOSE' }

export type Target = {
  name: string
  address: string
  intervalSeconds: number
  timeoutSeconds: number
  failures: readonly Failure[]
  /** A firewall admits only the home region; others meet this. */
  elsewhere: 'SILENT' | 'REFUSED' | undefined
  connectMs: number
  responseMs: number
}

/** Something that has to send a ping once in a period. */
export type Job = {
  name: string
  periodSeconds: number
  graceSeconds: number
  silences: readonly Spell[]
}

export type World = {
  /** When the organization came, before anything ran. */
  bornMs: number
  startMs: number
  /** From here on everything is healthy and nothing breaks. */
  quietMs: number
  endMs: number
  targets: readonly Target[]
  jobs: readonly Job[]
  window: SimWindow | undefined
  receiverDown: readonly Spell[]
  databaseDown: readonly Spell[]
  /** When a process cannot reach the bus, by its name. */
  cutOff: ReadonlyMap<string, readonly Spell[]>
  /** When no public address can be reached from a region. */
  cuts: ReadonlyMap<string, readonly Spell[]>
  /** When a probe reports nonsense, by its name. */
  lies: ReadonlyMap<string, readonly Spell[]>
  /** Probes of the previous version. */
  oldProbes: ReadonlySet<string>
  /** When a process is frozen, by its name. */
  freezes: ReadonlyMap<string, readonly Spell[]>
  /** How far the clock of a process is from the true time, by its name. */
  skewMs: ReadonlyMap<string, number>
  /** How late the timers of a process may be, by its name. */
  tickMs: ReadonlyMap<string, number>
  /** Out of a million statements and messages. */
  crashesPerMillion: number
  lostPerMillion: number
}

export type Size = {
  monitors: number
  minutes: number
  quietMinutes: number
  intervalSeconds?: number
  hasFaults: boolean
}

// Partitions of the image begin on this day.
export const IMAGE_DAY_MS = Date.UTC(2027, 2, 27)
export const RECEIVER = { host: '10.9.0.1', port: 8080 }

const JOBS = 2
const PATIENT_MINUTES = 8

/** The oldest region is home until the organization chooses another. */
export const HOME = 'eu'

/** What can be left out of a world, to see whether a violation needs it. */
export const FAULTS = [
  'databaseDown',
  'receiverDown',
  'cutOff',
  'cuts',
  'lies',
  'oldProbes',
  'freezes',
  'skewMs',
  'crashesPerMillion',
  'lostPerMillion',
] as const satisfies readonly (keyof World)[]
export type Fault = (typeof FAULTS)[number]

const HARMLESS: Pick<World, Fault> = {
  databaseDown: [],
  receiverDown: [],
  cutOff: new Map(),
  cuts: new Map(),
  lies: new Map(),
  oldProbes: new Set(),
  freezes: new Map(),
  skewMs: new Map(),
  crashesPerMillion: 0,
  lostPerMillion: 0,
}

export function withoutFaults(world: World, leftOut: readonly Fault[]): World {
  const harmless = leftOut.map((fault) => [fault, HARMLESS[fault]])
  return { ...world, ...Object.fromEntries(harmless) }
}

type Place = { name: string; region: string }

export function createWorld(rng: Rng, size: Size, processes: readonly Place[]): World {
  const { monitors, minutes, quietMinutes, hasFaults } = size
  const bornMs = IMAGE_DAY_MS + rng.int(0, 20 * 3_600_000)
  const { window, startMs } = hasFaults
    ? createWindow(rng, bornMs)
    : { window: undefined, startMs: bornMs }
  const endMs = startMs + minutes * 60_000
  const quietMs = endMs - quietMinutes * 60_000
  const spells = (most: number, seconds: readonly [number, number]): Spell[] =>
    Array.from({ length: rng.int(0, most) }, () => {
      const fromMs = rng.int(startMs + 30_000, quietMs)
      const lengthMs = rng.int(seconds[0] * 1000, seconds[1] * 1000)
      return { fromMs, toMs: Math.min(fromMs + lengthMs, quietMs) }
    }).toSorted((a, b) => a.fromMs - b.fromMs)
  const faults = (most: number, seconds: readonly [number, number]) =>
    hasFaults ? spells(most, seconds) : []
  const probes = processes.filter(({ name }) => name.startsWith('probe'))
  const regions = [...new Set(probes.map(({ region }) => region))]
  // All probes of a region at once: then another region has to do.
  const regionsAway = new Map(regions.map((region) => [region, faults(1, [20, 300])]))
  const awayOf = ({ name, region }: Place) =>
    name.startsWith('probe') ? (regionsAway.get(region) ?? []) : []
  const hasFirewalls = regions.length > 1
  const takesPings = processes.some(({ name }) => name.startsWith('api'))
  return {
    bornMs,
    startMs,
    window,
    jobs: Array.from({ length: takesPings ? JOBS : 0 }, (_, i) => ({
      name: `Job ${i}`,
      periodSeconds: rng.pick([60, 120]),
      graceSeconds: rng.pick([60, 90]),
      silences: withoutOverlaps(spells(1, [60, 600])),
    })),
    quietMs,
    endMs,
    targets: Array.from({ length: monitors }, (_, i) => ({
      name: `host${i}.example`,
      // In networks of their own: silence in three of them says that ours is to blame.
      address: `93.${184 + (i >> 8)}.${i & 255}.10`,
      intervalSeconds: size.intervalSeconds ?? rng.pick([30, 60, 120, 300]),
      timeoutSeconds: rng.pick([5, 10]),
      failures: withoutOverlaps(spells(3, [5, 1200])).map((spell) => ({
        ...spell,
        how: rng.pick(['REFUSED', 'SILENT', 'STATUS', 'CLOSE'] as const),
      })),
      elsewhere: hasFirewalls && rng.chance(0.5) ? rng.pick(['SILENT', 'REFUSED']) : undefined,
      connectMs: rng.int(1, 80),
      responseMs: rng.int(1, 400),
    })),
    // What failed then has to wait for minutes before it is tried again.
    receiverDown: quietMinutes >= PATIENT_MINUTES ? faults(2, [10, 120]) : [],
    databaseDown: faults(1, [1, 40]),
    cutOff: new Map(
      processes.map((place) => [place.name, [...faults(1, [1, 60]), ...awayOf(place)]]),
    ),
    cuts: new Map(regions.map((region) => [region, faults(1, [10, 150])])),
    lies: new Map(probes.map(({ name }) => [name, rng.chance(0.3) ? faults(1, [10, 120]) : []])),
    oldProbes: new Set(probes.flatMap(({ name }) => (hasFaults && rng.chance(0.25) ? name : []))),
    freezes: new Map(processes.map(({ name }) => [name, faults(1, [2, 45])])),
    skewMs: new Map(
      processes.map(({ name }) => [
        name,
        hasFaults && rng.chance(0.5) ? rng.int(-90_000, 90_000) : 0,
      ]),
    ),
    tickMs: new Map(processes.map(({ name }) => [name, tickOf(rng, name)])),
    crashesPerMillion: hasFaults ? rng.pick([0, 500, 2000]) : 0,
    lostPerMillion: hasFaults ? rng.pick([0, 1000, 10_000]) : 0,
  }
}

// An idle scheduler or dispatcher looks some ten times a second whether there is work. On most machines of a simulation
// it gets to do so once a second: that is allowed, and costs a tenth. Probes measure times, so theirs are exact.
const TICKS_MS = [100, 1000, 1000, 1000] as const

function tickOf(rng: Rng, name: string): number {
  const tickMs = rng.pick(TICKS_MS)
  return name.startsWith('probe') ? 1 : tickMs
}

function withoutOverlaps(spells: readonly Spell[]): Spell[] {
  const kept: Spell[] = []
  for (const spell of spells)
    if (spell.fromMs > (kept.at(-1)?.toMs ?? 0) && spell.toMs > spell.fromMs) kept.push(spell)
  return kept
}

export function spellAt<S extends Spell>(
  spells: readonly S[] | undefined,
  ms: number,
): S | undefined {
  return spells?.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs)
}

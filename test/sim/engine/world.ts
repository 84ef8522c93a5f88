// What really happens in one simulation, decided from its seed before anything starts: the judge knows it, and the
// product has to find out.
import type { Rng } from '../rng.ts'

type Spell = { fromMs: number; toMs: number }
type Trouble = Spell & { how: 'REFUSED' | 'SILENT' | 'STATUS' | 'CLOSE' }

export type Target = {
  name: string
  address: string
  intervalSeconds: number
  timeoutSeconds: number
  troubles: readonly Trouble[]
  connectMs: number
  responseMs: number
}

export type World = {
  startMs: number
  /** From here on everything is healthy and nothing breaks. */
  quietMs: number
  endMs: number
  targets: readonly Target[]
  receiverDown: readonly Spell[]
  databaseDown: readonly Spell[]
  /** When a process cannot reach the bus, by its name. */
  cutOff: ReadonlyMap<string, readonly Spell[]>
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

export function createWorld(rng: Rng, size: Size, processes: readonly string[]): World {
  const { monitors, minutes, quietMinutes, hasFaults } = size
  const startMs = IMAGE_DAY_MS + rng.int(0, 20 * 3_600_000)
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
  return {
    startMs,
    quietMs,
    endMs,
    targets: Array.from({ length: monitors }, (_, i) => ({
      name: `host${i}.example`,
      address: `93.184.${216 + (i >> 8)}.${i & 255}`,
      intervalSeconds: size.intervalSeconds ?? rng.pick([30, 60, 120, 300]),
      timeoutSeconds: rng.pick([5, 10]),
      troubles: withoutOverlaps(spells(3, [5, 1200])).map((spell) => ({
        ...spell,
        how: rng.pick(['REFUSED', 'SILENT', 'STATUS', 'CLOSE'] as const),
      })),
      connectMs: rng.int(1, 80),
      responseMs: rng.int(1, 400),
    })),
    receiverDown: faults(2, [10, 120]),
    databaseDown: faults(1, [1, 40]),
    cutOff: new Map(processes.map((name) => [name, faults(1, [1, 60])])),
    crashesPerMillion: hasFaults ? rng.pick([0, 100, 400]) : 0,
    lostPerMillion: hasFaults ? rng.pick([0, 1000, 10_000]) : 0,
  }
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

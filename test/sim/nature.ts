// The real outages, decided before the engine starts: the oracle knows them, the engine has to find out.
import type { Rng } from './rng.ts'
import type { World } from './world.ts'

export type Spell = { fromMs: number; toMs: number }

export type Nature = {
  /** When a monitor's target (CRON: its job) is really down. */
  outages: ReadonlyMap<string, readonly Spell[]>
  /** When the home region's outbound network is cut: every target looks dead from there. */
  egressCuts: readonly Spell[]
  /** When a region has no probe. */
  deadRegions: ReadonlyMap<string, readonly Spell[]>
  receiverDown: readonly Spell[]
  maintenance: readonly Spell[]
  /** When none of our processes can receive pings. */
  deaf: readonly Spell[]
}

export const HOME = 'eu'
export const REGIONS = [HOME, 'us'] as const

export function createNature(world: World, uuids: readonly string[]): Nature {
  const spells = (count: number, min: number, max: number) => makeSpells(world, count, [min, max])
  return {
    outages: new Map(uuids.map((uuid) => [uuid, spells(world.rng.int(0, 3), 20, 400)])),
    egressCuts: spells(2, 10, 120),
    deadRegions: new Map(REGIONS.map((region) => [region, spells(2, 5, 90)])),
    receiverDown: spells(2, 10, 120),
    maintenance: spells(1, 60, 300),
    deaf: spells(2, 5, 300),
  }
}

export function isWithin(spells: readonly Spell[] | undefined, ms: number): boolean {
  return spells?.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs) ?? false
}

// Everything recovers before the quiet time begins: by the end the engine must have noticed that, too.
function makeSpells(world: World, count: number, seconds: readonly [number, number]): Spell[] {
  const startMs = world.nowMs()
  return Array.from({ length: count }, () => {
    const fromMs = world.rng.int(startMs, world.quietFromMs)
    return { fromMs, toMs: Math.min(fromMs + lengthMs(world.rng, seconds), world.quietFromMs) }
  })
}

function lengthMs(rng: Rng, [min, max]: readonly [number, number]): number {
  return rng.int(min * 1000, max * 1000)
}

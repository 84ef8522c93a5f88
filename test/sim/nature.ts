// What really happens, decided before the engine starts: the oracle knows it, the engine has to find out.
import type { Rng } from './rng.ts'
import type { World } from './world.ts'

export type Spell = { fromMs: number; toMs: number }
type OutageMode = 'SILENT' | 'REFUSED' | 'MIXED'
type Outage = Spell & { mode: OutageMode }

export type Region = 'eu' | 'us' | 'ap'
/** In the order they joined. */
export const REGIONS: readonly Region[] = ['eu', 'us', 'ap']

export type SiteKind = 'PUBLIC' | 'FIREWALL' | 'PRIVATE_ONCE' | 'PRIVATE_TWICE' | 'SPLIT' | 'IPV6'

/** What answers a region at the target's name. Hosts of different names are different machines. */
export type View = {
  host: string
  address: string
  isPrivate: boolean
  obstacle: 'SILENT' | 'REFUSED' | 'NO_ROUTE' | null
}
export type Site = {
  kind: SiteKind
  /** Its name is a private address. */
  isWritten: boolean
  views: Readonly<Record<Region, View>>
}

/** What a region's probe reports instead of what it saw: no finding at all, a failure, a pass. */
type LieMode = 'NONSENSE' | 'FAILED' | 'OK'

export type Nature = {
  /** Of this installation. Others have no probe. */
  regions: readonly Region[]
  /** When a machine (CRON: a job) is really down, by its name. */
  outages: ReadonlyMap<string, readonly Outage[]>
  /** When all machines of an organization are down at once. */
  blackouts: readonly (Spell & { mode: OutageMode; hosts: ReadonlySet<string> })[]
  /** When a region's own network is cut: every public target looks dead from there; with `isWhole`, private ones, too. */
  cuts: ReadonlyMap<Region, readonly (Spell & { isWhole: boolean })[]>
  /** When there is no way from a region to a monitor's target, by monitor and region. */
  brokenRoutes: ReadonlyMap<string, readonly Spell[]>
  /** When a region's probe refuses private addresses. */
  forbidden: ReadonlyMap<Region, readonly Spell[]>
  /** When a region has no probe. */
  deadRegions: ReadonlyMap<Region, readonly Spell[]>
  /** When a region's probe runs the previous version. */
  oldProbes: ReadonlyMap<Region, readonly Spell[]>
  lies: ReadonlyMap<Region, readonly (Spell & { mode: LieMode })[]>
  /** Regions whose probe has control targets, outside of anything that can fail here. */
  controlled: ReadonlySet<Region>
  receiverDown: readonly Spell[]
  maintenance: readonly Spell[]
  /** When none of our processes can receive pings. */
  deaf: readonly Spell[]
  /** Made when they are first seen. */
  sites: Map<string, Site>
  publicHosts: Map<string, string>
}

const REGION_NOTICE_MS = 3_000
// An hour in production.
const PRESENT_MS = 150_000

export function createNature(
  world: World,
  monitors: readonly { uuid: string; org: string }[],
): Nature {
  const { rng } = world
  const spells = (most: number, min: number, max: number) => makeSpells(world, most, [min, max])
  const rare = (chance: number, min: number, max: number) =>
    spells(rng.chance(chance) ? 1 : 0, min, max)
  const ofRegions = <T>(make: () => T) => new Map(REGIONS.map((region) => [region, make()]))
  const outages = (most: number) =>
    spells(rng.int(0, most), 20, 600).map((spell) => ({ ...spell, mode: pickMode(rng) }))
  const regions = REGIONS.slice(0, rng.pick([1, 1, 2, 3, 3]))
  const org = rng.pick(monitors).org
  const hosts = new Set(monitors.flatMap((monitor) => (monitor.org === org ? [monitor.uuid] : [])))
  return {
    regions,
    outages: new Map(
      monitors.flatMap(({ uuid }) => [
        [uuid, outages(3)],
        [`${uuid}/2`, outages(1)],
      ]),
    ),
    blackouts: rare(0.5, 400, 900).map((spell) => ({
      ...spell,
      hosts,
      mode: rng.pick(['SILENT', 'SILENT', 'REFUSED'] as const),
    })),
    cuts: ofRegions(() =>
      [...spells(1, 10, 120), ...rare(0.3, 400, 900)].map((spell) => ({
        ...spell,
        isWhole: rng.chance(0.3),
      })),
    ),
    brokenRoutes: new Map(
      monitors.flatMap(({ uuid }) =>
        REGIONS.map((region) => [`${uuid} ${region}`, rare(0.15, 30, 400)]),
      ),
    ),
    forbidden: ofRegions(() => rare(0.2, 30, 300)),
    deadRegions: ofRegions(() => [...spells(2, 5, 90), ...rare(0.3, 200, 700)]),
    oldProbes: ofRegions(() => rare(0.4, 300, 1_800)),
    lies: ofRegions(() => [
      ...rare(0.5, 20, 200).map((spell) => ({ ...spell, mode: 'NONSENSE' as const })),
      ...rare(0.04, 20, 60).map((spell) => ({
        ...spell,
        mode: rng.pick(['FAILED', 'OK'] as const),
      })),
    ]),
    controlled: new Set(REGIONS.filter(() => rng.chance(0.4))),
    receiverDown: spells(2, 10, 120),
    maintenance: spells(1, 60, 300),
    deaf: spells(2, 5, 300),
    sites: new Map(),
    publicHosts: new Map(),
  }
}

export function isWithin(spells: readonly Spell[] | undefined, ms: number): boolean {
  return spells?.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs) ?? false
}

/** Whether the engine knows of a probe there. A dead region is detected a little after it died. */
export function isLive(nature: Nature, region: Region, ms: number): boolean {
  return !isWithin(nature.deadRegions.get(region), ms - REGION_NOTICE_MS)
}

/** Regions that had a probe not long ago, oldest first. */
export function presentRegions(nature: Nature, ms: number): Region[] {
  return nature.regions.filter((region) => {
    let atMs = ms - REGION_NOTICE_MS
    for (const { fromMs, toMs } of byEnd(nature.deadRegions.get(region) ?? []))
      if (fromMs <= atMs && atMs < toMs) atMs = fromMs
    return ms - atMs < PRESENT_MS
  })
}

const byEnd = (spells: readonly Spell[]) => spells.toSorted((a, b) => b.toMs - a.toMs)

function pickMode(rng: Rng): OutageMode {
  return rng.pick(['SILENT', 'REFUSED', 'MIXED'])
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

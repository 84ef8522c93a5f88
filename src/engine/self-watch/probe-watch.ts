// Finds regions that monitors need but that have no live probe, probes of one region whose settings differ, and regions
// that are somewhere else than before.
import type { Bus, ProbeAnnouncement } from '../../bus/bus.ts'
import { PROBE_DEAD_AFTER_MS } from '../../bus/live-probes.ts'
import type { ConditionFinding } from '../../domain/operating/condition.ts'
import { movedRegions } from '../../domain/operating/region-networks.ts'
import { differences } from '../../domain/operating/self-watch.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { recordRegionNetworks } from '../../store/operating/region-networks.ts'
import { findNeededRegions, findPresentRegions } from '../../store/operating/self-watch.ts'
import { every } from '../every.ts'

const READ_NEEDED_MS = 15_000
// A region that had a probe is expected to have one for this long.
const REMEMBERED_MS = 3_600_000
const MAX_PROBES = 10_000

type ProbeWatch = { findings(): ConditionFinding[]; stop(): Promise<void> }
type Heard = { announcement: ProbeAnnouncement; atMs: number }

export async function startProbeWatch(deps: {
  bus: Bus
  database: Database
  log: Log
}): Promise<ProbeWatch> {
  const heard = new Map<string, Heard>()
  let needed: readonly (string | null)[] = []
  // From the database: a process that starts after a region's last probe died never hears from it.
  let seen: readonly string[] = []
  let moved: readonly string[] = []
  const listening = await deps.bus.onAnnouncement((announcement) => {
    const key = `${announcement.region} ${announcement.probe}`
    if (heard.has(key) || heard.size < MAX_PROBES)
      heard.set(key, { announcement, atMs: performance.now() })
  })
  const read = async () => {
    needed = await findNeededRegions(deps.database)
    seen = await findPresentRegions(deps.database, REMEMBERED_MS / 1000)
    const announced = networksOf(heard, performance.now())
    const { database } = deps
    const known = await database.transaction(undefined, (tx) => recordRegionNetworks(tx, announced))
    moved = movedRegions(known, announced, new Date())
  }
  const loop = every(
    READ_NEEDED_MS,
    () => watched('read needed regions', read),
    (err) => deps.log.warn({ err }, 'needed regions could not be read'),
  )
  await read()
  return {
    findings: () => [
      ...findingsOf(heard, { needed, seen }, performance.now()),
      ...moved.map(toMoved),
    ],
    async stop() {
      await loop.stop()
      await listening.stop()
    },
  }
}

function findingsOf(
  heard: Map<string, Heard>,
  { needed, seen }: { needed: readonly (string | null)[]; seen: readonly string[] },
  nowMs: number,
): ConditionFinding[] {
  for (const [key, { atMs }] of heard) if (nowMs - atMs > REMEMBERED_MS) heard.delete(key)
  const all = [...heard.values()]
  const live = all.filter(({ atMs }) => nowMs - atMs <= PROBE_DEAD_AFTER_MS)
  const alive = live.map(({ announcement }) => announcement)
  // Only the database knows whether a probe that is silent was revoked, or its region removed.
  const known = [...seen, ...alive.map(({ region }) => region)]
  return [
    ...missingRegions(needed, known, new Set(alive.map(({ region }) => region))),
    ...drift(alive),
  ]
}

function toMoved(region: string): ConditionFinding {
  const message = `Region ${region} is checked from other networks than before`
  return { code: 'REGION_MOVED', subject: region, message }
}

/** By region, of its live probes. */
function networksOf(heard: ReadonlyMap<string, Heard>, nowMs: number): Map<string, Set<string>> {
  const byRegion = new Map<string, Set<string>>()
  for (const { announcement, atMs } of heard.values()) {
    if (nowMs - atMs > PROBE_DEAD_AFTER_MS) continue
    const { region, networks = [] } = announcement
    if (networks.length === 0) continue
    byRegion.set(region, (byRegion.get(region) ?? new Set()).union(new Set(networks)))
  }
  return byRegion
}

function missingRegions(
  needed: readonly (string | null)[],
  known: readonly string[],
  live: ReadonlySet<string>,
): ConditionFinding[] {
  if (needed.length === 0) return []
  const chosen = needed.filter((region) => region !== null)
  const missing = [...new Set([...chosen, ...known])].filter((region) => !live.has(region))
  if (missing.length === 0 && live.size === 0)
    return [{ code: 'NO_PROBE', subject: '', message: 'No live probe in any region' }]
  return missing.toSorted().map((region) => ({
    code: 'NO_PROBE',
    subject: region,
    message: `No live probe in region ${region}`,
  }))
}

function drift(alive: readonly ProbeAnnouncement[]): ConditionFinding[] {
  const regions = Map.groupBy(alive, ({ region }) => region)
  return [...regions].flatMap(([region, probes]) => {
    const seen = probes.map(({ probe, settings = {} }) => ({ name: probe, roles: [], settings }))
    return differences(seen).map(({ code, subject, message }) => ({
      code,
      subject: `${subject} ${region}`,
      message: `${message} (probes of region ${region})`,
    }))
  })
}

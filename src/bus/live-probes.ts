import type { ProbeAnnouncement } from './bus.ts'

/** Probes announce themselves every two seconds: after three missed announcements, one is considered dead. */
export const PROBE_DEAD_AFTER_MS = 6000
/** How long a region stays an organization's home after its last probe was seen. */
export const REGION_PRESENT_MS = 3_600_000
const MAX_PROBES = 10_000

type RegionLoad = { probes: number; capacity: number; inFlight: number }

type LastAnnouncement = { announcement: ProbeAnnouncement; atMs: number }

/** Which probes can check, and from where. The caller supplies the time; only differences matter. */
export class LiveProbes {
  readonly #announcements = new Map<string, LastAnnouncement>()

  record(announcement: ProbeAnnouncement, nowMs: number): void {
    const key = `${announcement.region} ${announcement.probe}`
    if (!this.#announcements.has(key) && this.#announcements.size >= MAX_PROBES)
      this.#forget(PROBE_DEAD_AFTER_MS, nowMs)
    if (!this.#announcements.has(key) && this.#announcements.size >= MAX_PROBES) return
    this.#announcements.set(key, { announcement, atMs: nowMs })
  }

  /** Regions with a live probe, sorted by name; if `type` is given, only those that can check it. */
  regions(
    nowMs: number,
    type?: string,
    counts: (probe: ProbeAnnouncement) => boolean = () => true,
  ): string[] {
    return regionsOf(this.#announcedWithin(PROBE_DEAD_AFTER_MS, nowMs).filter(counts), type)
  }

  /** Like `regions`, but includes those whose last probe was seen within the last hour. */
  presentRegions(nowMs: number, type?: string): string[] {
    return regionsOf(this.#announcedWithin(REGION_PRESENT_MS, nowMs), type)
  }

  /** When a probe of the region was last heard, within the last hour. */
  seenMs(region: string): number | undefined {
    const of = [...this.#announcements.values()].filter(
      ({ announcement }) => announcement.region === region,
    )
    return of.length === 0 ? undefined : Math.max(...of.map(({ atMs }) => atMs))
  }

  /** The last announcement of every live probe. */
  live(nowMs: number): ProbeAnnouncement[] {
    return this.#announcedWithin(PROBE_DEAD_AFTER_MS, nowMs)
  }

  /** The number of live probes per region. */
  counts(nowMs: number): Map<string, number> {
    const counts = new Map<string, number>()
    const live = this.#announcedWithin(PROBE_DEAD_AFTER_MS, nowMs)
    for (const { region } of live) counts.set(region, (counts.get(region) ?? 0) + 1)
    return counts
  }

  loadOf(region: string, nowMs: number): RegionLoad {
    const live = this.#announcedWithin(PROBE_DEAD_AFTER_MS, nowMs)
    const there = live.filter((announcement) => announcement.region === region)
    return {
      probes: there.length,
      capacity: there.reduce((sum, { capacity }) => sum + capacity, 0),
      inFlight: there.reduce((sum, { inFlight }) => sum + inFlight, 0),
    }
  }

  #announcedWithin(ms: number, nowMs: number): ProbeAnnouncement[] {
    this.#forget(REGION_PRESENT_MS, nowMs)
    const within = [...this.#announcements.values()].filter(({ atMs }) => nowMs - atMs <= ms)
    return within.map(({ announcement }) => announcement)
  }

  #forget(afterMs: number, nowMs: number): void {
    for (const [key, { atMs }] of this.#announcements)
      if (nowMs - atMs > afterMs) this.#announcements.delete(key)
  }
}

function regionsOf(announcements: readonly ProbeAnnouncement[], type?: string): string[] {
  const able = announcements.filter(({ can }) => type === undefined || can.includes(type))
  return [...new Set(able.map(({ region }) => region))].toSorted()
}

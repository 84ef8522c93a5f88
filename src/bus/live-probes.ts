import type { ProbeAnnouncement } from './bus.ts'

/** Probes announce themselves every two seconds: three missed ones mean that it is gone. */
export const PROBE_DEAD_AFTER_MS = 6000
const MAX_PROBES = 10_000

export type RegionLoad = { probes: number; capacity: number; inFlight: number }

type Seen = { announcement: ProbeAnnouncement; atMs: number }

/** Who can check, from where. Time is the caller's, and only its differences count. */
export class LiveProbes {
  readonly #seen = new Map<string, Seen>()

  note(announcement: ProbeAnnouncement, nowMs: number): void {
    const key = `${announcement.region} ${announcement.probe}`
    if (!this.#seen.has(key) && this.#seen.size >= MAX_PROBES) this.#forgetDead(nowMs)
    if (!this.#seen.has(key) && this.#seen.size >= MAX_PROBES) return
    this.#seen.set(key, { announcement, atMs: nowMs })
  }

  /** The regions with a live probe, by name; of those that can check the type, if one is named. */
  regions(nowMs: number, type?: string): string[] {
    const able = this.#live(nowMs).filter(({ can }) => type === undefined || can.includes(type))
    return [...new Set(able.map(({ region }) => region))].toSorted()
  }

  /** How many probes each region has. */
  counts(nowMs: number): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { region } of this.#live(nowMs)) counts.set(region, (counts.get(region) ?? 0) + 1)
    return counts
  }

  loadOf(region: string, nowMs: number): RegionLoad {
    const there = this.#live(nowMs).filter((announcement) => announcement.region === region)
    return {
      probes: there.length,
      capacity: there.reduce((sum, { capacity }) => sum + capacity, 0),
      inFlight: there.reduce((sum, { inFlight }) => sum + inFlight, 0),
    }
  }

  #live(nowMs: number): ProbeAnnouncement[] {
    this.#forgetDead(nowMs)
    return [...this.#seen.values()].map(({ announcement }) => announcement)
  }

  #forgetDead(nowMs: number): void {
    for (const [key, { atMs }] of this.#seen)
      if (nowMs - atMs > PROBE_DEAD_AFTER_MS) this.#seen.delete(key)
  }
}

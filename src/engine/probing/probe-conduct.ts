// Keeps jobs from probes that send nonsense, whether they cooperate or not: for a minute nothing of theirs counts, their
// region is not live because of them, and jobs of the region go to its other probes one by one.
import type { ProbeAnnouncement, ProbeLocation } from '../../bus/bus.ts'
import type { ConditionFinding } from '../../domain/operating/condition.ts'
import {
  type Conduct,
  GOOD_CONDUCT,
  isReported,
  isSuspect,
  isSuspended,
  withFault,
} from '../../domain/operating/probe-conduct.ts'
import { isNewerVersion } from '../../domain/values/version.ts'

const MAX_KNOWN = 10_000
/** Stands for whichever probe of a region it was. */
const UNKNOWN = ''

type Known = { place: ProbeLocation; conduct: Conduct }

/** All times are from `performance.now()`. */
export class ProbeConduct {
  #live: () => readonly ProbeAnnouncement[] = () => []
  /** Of this process. */
  readonly #version: string
  readonly #known = new Map<string, Known>()
  #turn = 0

  constructor(version: string) {
    this.#version = version
  }

  /** Says which probes are live from now on. */
  watch(live: () => readonly ProbeAnnouncement[]): void {
    this.#live = live
  }

  isSuspended(place: ProbeLocation, nowMs: number): boolean {
    return isSuspended(this.#conductOf(place), nowMs)
  }

  /** Counts nonsense against a probe, or against its region if nobody knows which of its probes sent it. */
  blame({ region, probe = UNKNOWN }: Partial<ProbeLocation> & { region: string }, nowMs: number) {
    const place = { region, probe }
    const conduct = withFault(this.#conductOf(place), nowMs)
    if (this.#known.size >= MAX_KNOWN) this.#forget(nowMs)
    const key = keyOf(place)
    if (this.#known.has(key) || this.#known.size < MAX_KNOWN)
      this.#known.set(key, { place, conduct })
  }

  /**
   * The probe that gets the next packet of a region where one is suspended, or answers under a wrong name. Undefined: any
   * of the region, because all are in good standing or none can be addressed.
   */
  nextAlone(region: string, nowMs: number): string | undefined {
    if (this.#known.size === 0) return undefined
    const there = [...this.#known.values()].filter(({ place }) => place.region === region)
    const isWatched = there.some(({ place, conduct }) =>
      place.probe === UNKNOWN ? isSuspect(conduct, nowMs) : isSuspended(conduct, nowMs),
    )
    if (!isWatched) return undefined
    const able = this.#live().filter(
      (one) => one.region === region && one.isDirect === true && !this.isSuspended(one, nowMs),
    )
    return able[this.#turn++ % Math.max(1, able.length)]?.probe
  }

  /** Whether the probe announces a later version of the product than this process runs. */
  isNewer({ region, probe }: ProbeLocation): boolean {
    const said = this.#live().find((one) => one.region === region && one.probe === probe)
    return isNewerVersion(said?.version ?? '', this.#version)
  }

  findings(nowMs: number): ConditionFinding[] {
    const reported = [...this.#known.values()].filter(({ conduct }) => isReported(conduct, nowMs))
    return reported.map(({ place: { region, probe } }) => ({
      code: 'PROBE_FAULT',
      subject: probe === UNKNOWN ? region : `${region} ${probe}`,
      message:
        probe === UNKNOWN
          ? `A probe of region ${region} answers under a name that is not its own`
          : `Probe ${probe} of region ${region} sends results that are none, and gets no jobs`,
    }))
  }

  #conductOf(place: ProbeLocation): Conduct {
    return this.#known.get(keyOf(place))?.conduct ?? GOOD_CONDUCT
  }

  #forget(nowMs: number): void {
    for (const [key, { conduct }] of this.#known)
      if (!isSuspect(conduct, nowMs) && !isReported(conduct, nowMs)) this.#known.delete(key)
  }
}

const keyOf = ({ region, probe }: ProbeLocation) => `${region} ${probe}`

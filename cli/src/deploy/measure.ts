// What the service sees of the monitors, before and after a release.
import { isApiError, type Monitor, type Upvane } from '@upvane/sdk'
import { CommandError } from '../command.ts'
import { clean } from '../terminal/text.ts'
import type { Measurement } from './judge.ts'

const HOUR_MS = 3_600_000
const PASSED = new Set(['PASSED', 'SLOW'])
const HOME = 'the home region'
const MAX_CHECKS = 1000

export type Target = { monitorId: string; name: string; beforeMs: readonly number[] }

/** Refuses monitors that cannot be checked after the release. */
export function assertCheckable({ name, type, state }: Monitor): void {
  const shown = clean(name)
  if (type === 'CRON')
    throw new CommandError(2, `${shown} waits for pings: nothing can be checked.`)
  if (state === 'PAUSED')
    throw new CommandError(1, `${shown} is paused. Resume it first, or leave it out.`)
}

/** Response times of the hour before `now`. */
export async function readTarget(upvane: Upvane, monitor: Monitor, now: Date): Promise<Target> {
  const span = { from: new Date(now.getTime() - HOUR_MS), to: now }
  const log = upvane.ext.monitors.checks(monitor.id, span)
  const { data: checks } = await log.page({ limit: MAX_CHECKS })
  // Times from two regions cannot be compared. The newest check ran where the next ones will.
  const home = checks[0]?.region
  const beforeMs = checks.flatMap(({ outcome, responseMs, region }) =>
    PASSED.has(outcome) && responseMs !== null && region === home ? [responseMs] : [],
  )
  return { monitorId: monitor.id, name: monitor.name, beforeMs }
}

type Plan = {
  /** Empty: the home region only. */
  regions: readonly string[]
  /** Checks for the response time. */
  samples: number
  signal: AbortSignal
}

/** One check from every region, then recorded checks for the response times. Stops at the first failure. */
export async function measure(upvane: Upvane, target: Target, plan: Plan): Promise<Measurement> {
  const seen = await checkRegions(upvane, target.monitorId, plan)
  const { failures, inconclusive } = seen
  const isClear = failures.length === 0 && inconclusive.length === 0
  if (!isClear) return { ...target, ...seen, afterMs: [] }
  return { ...target, ...seen, ...(await sample(upvane, target.monitorId, plan)) }
}

type Seen = Pick<Measurement, 'regions' | 'failures' | 'inconclusive'>

async function checkRegions(upvane: Upvane, id: string, plan: Plan): Promise<Seen> {
  const wanted = plan.regions.length === 0 ? [null] : plan.regions
  const regions: string[] = []
  const inconclusive: string[] = []
  for (const region of wanted) {
    const input = region === null ? {} : { region }
    const { result, check } = await upvane.ext.monitors.check(id, input, { signal: plan.signal })
    const shown = region ?? HOME
    regions.push(shown)
    if (result === 'INCONCLUSIVE') inconclusive.push(shown)
    if (result === 'FAILED')
      return {
        regions,
        failures: [{ region: shown, cause: check.cause ?? 'failed' }],
        inconclusive,
      }
  }
  return { regions, failures: [], inconclusive }
}

type Sampled = Pick<Measurement, 'afterMs'> &
  Partial<Pick<Measurement, 'failures' | 'inconclusive'>>

async function sample(upvane: Upvane, id: string, { samples, signal }: Plan): Promise<Sampled> {
  const afterMs: number[] = []
  for (let count = 0; count < samples; count++) {
    const monitor = await checkRecorded(upvane, id, signal)
    if (monitor === undefined) return { afterMs, inconclusive: [HOME] }
    if (monitor.state === 'DOWN')
      return { afterMs, failures: [{ region: HOME, cause: 'a later check failed' }] }
    if (monitor.lastResponseMs !== null) afterMs.push(monitor.lastResponseMs)
  }
  return { afterMs }
}

/** Undefined if the service could not run the check. */
async function checkRecorded(upvane: Upvane, id: string, signal: AbortSignal) {
  try {
    return await upvane.monitors.check(id, { signal })
  } catch (error) {
    if (isApiError(error, 'internal_error')) return undefined
    throw error
  }
}

// A series of response times with a step that the caller chose, instead of one that suits the range.
import type { SeriesPlan, SeriesSource } from './series.ts'

export const SERIES_STEPS = [60, 120, 300, 600, 3600, 86_400] as const

const HOUR = 3600
const DAY = 86_400

type Reach = { source: SeriesSource; maxSeconds: number; text: string }

const RAW: Reach = { source: 'RAW', maxSeconds: 25 * HOUR, text: '25 hours' }
const HOURS: Reach = { source: 'HOURS', maxSeconds: 31 * DAY, text: '31 days' }
const DAYS: Reach = { source: 'DAYS', maxSeconds: 400 * DAY, text: '400 days' }

type StepRequest = { step: number; from: Date; to: Date }
type SteppedSeries = { plan: SeriesPlan } | { problem: { path: string; message: string } }

/** `to` is not in the future. Single results older than `rawSince` may be gone. */
export function planSteps({ step, from, to }: StepRequest, rawSince: Date): SteppedSeries {
  const { source, maxSeconds, text } = reachOf(step)
  if (to.getTime() - from.getTime() > maxSeconds * 1000)
    return refuse(`reaches over at most ${text}: use a longer step`)
  if (source === 'RAW' && from < rawSince)
    return refuse('needs single checks, which are no longer kept: use 3600 or 86400')
  const stepMs = step * 1000
  const start = new Date(Math.floor(from.getTime() / stepMs) * stepMs)
  return { plan: { from: start, to, bucketSeconds: step, source } }
}

function reachOf(step: number): Reach {
  if (step < HOUR) return RAW
  return step < DAY ? HOURS : DAYS
}

const refuse = (message: string): SteppedSeries => ({ problem: { path: 'step', message } })

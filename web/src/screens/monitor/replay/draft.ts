import type { InputOf, ResponseOf } from '../../../api/contract.ts'

export type ReplayQuery = NonNullable<InputOf<'GET /monitors/{monitorId}/replay'>['query']>
export type ReplayResult = ResponseOf<'GET /monitors/{monitorId}/replay'>

type Settings = Pick<
  ResponseOf<'GET /monitors/{monitorId}'>,
  'degradedThresholdMs' | 'degradedThresholdMode' | 'degradedSamples'
>

/** The settings as they are typed. */
export type ReplayDraft = {
  threshold: string
  mode: 'LAST' | 'P95'
  samples: string
  statuses: string
  /** Minutes, or nothing. */
  delay: string
}

export function draftOf(settings: Settings): ReplayDraft {
  return {
    threshold: String(settings.degradedThresholdMs ?? ''),
    mode: settings.degradedThresholdMode,
    samples: String(settings.degradedSamples),
    statuses: '',
    delay: '',
  }
}

/** Invalid numbers are sent as they are: the server says what is wrong with them. */
export function queryOf({ threshold, mode, samples, statuses, delay }: ReplayDraft): ReplayQuery {
  const codes = statuses.split(',').map((code) => code.trim())
  return {
    days: 30,
    degradedThresholdMs: Number(threshold.trim()),
    degradedThresholdMode: mode,
    degradedSamples: Number(samples.trim()),
    ...(statuses.trim() !== '' && { expectedStatus: codes }),
    ...(delay !== '' && { delayMinutes: Number(delay) }),
  }
}

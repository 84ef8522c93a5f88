// What a caller gets for an error that was thrown, and what the log says of it.
import { ApiError, unavailable } from '../../platform/api-error.ts'
import type { Log } from '../../platform/observability/log.ts'
import { describeOutage, isDatabaseOutage } from '../../store/core/outage.ts'

type FailedRequest = { requestId: string; method?: string | undefined }

/** `what` is the log line of a fault that is ours. */
export function toApiError(
  error: unknown,
  log: Log,
  { requestId, method }: FailedRequest,
  what = 'request failed',
): ApiError {
  if (error instanceof ApiError) return error
  const reason = describeOutage(error)
  if (reason === undefined) log.error({ requestId, method, err: error }, what)
  else log.warn({ requestId, method, reason }, 'request failed: the database is unavailable')
  if (isDatabaseOutage(error)) return unavailable()
  return new ApiError('internal_error', 'Something failed on our side.')
}

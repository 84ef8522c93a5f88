// Errors of the client. None of them holds the API key, a header or a body that was sent.
import type { ErrorCode, ErrorDetail } from '../api/shared.ts'

/** What every error of the client knows about its call. */
export type CallFacts = {
  operation: string
  attempts: number
  /** Pass it to a new call to continue this one: it cannot take effect twice. Null for a GET. */
  idempotencyKey: string | null
}

/** The codes of the API, `unexpected_answer` for what is not an answer of it, and codes to come. */
export type ApiErrorCode = ErrorCode | 'unexpected_answer' | (string & {})

export type ApiErrorFacts = {
  code: ApiErrorCode
  status: number
  requestId: string | null
  details: readonly ErrorDetail[]
  retryAfterMs: number | null
}

/** Every error that a call can throw, other than the reason of an abort and a TypeError for a wrong argument. */
export class UpvaneError extends Error {
  override readonly name: string = 'UpvaneError'
  readonly operation: string
  readonly attempts: number
  readonly idempotencyKey: string | null

  constructor(message: string, facts: CallFacts, cause?: unknown) {
    super(`${facts.operation}: ${message}`, cause === undefined ? undefined : { cause })
    this.operation = facts.operation
    this.attempts = facts.attempts
    this.idempotencyKey = facts.idempotencyKey
  }
}

/** The API answered, but not with success. Branch on `code`; quote `requestId` when you ask for help. */
export class ApiError extends UpvaneError {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number
  readonly requestId: string | null
  /** What is wrong with which field. Empty unless `code` is `validation_error`. */
  readonly details: readonly ErrorDetail[]
  readonly retryAfterMs: number | null

  constructor(message: string, facts: CallFacts, { code, status, ...rest }: ApiErrorFacts) {
    const details = rest.details.map(({ path, message: why }) => `; ${path}: ${why}`)
    const id = rest.requestId === null ? '' : ` (${rest.requestId})`
    super(`${status} ${code}: ${message}${details.join('')}${id}`, facts)
    this.code = code
    this.status = status
    this.requestId = rest.requestId
    this.details = rest.details
    this.retryAfterMs = rest.retryAfterMs
  }
}

/** No complete answer arrived. A write may have taken effect: see `idempotencyKey`. */
export class ConnectionError extends UpvaneError {
  override readonly name: string = 'ConnectionError'
}

/** No complete answer arrived in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** Also recognizes errors of another copy of this package. */
export function isApiError(error: unknown, code?: ApiErrorCode): error is ApiError {
  if (!(error instanceof Error) || error.name !== 'ApiError') return false
  return code === undefined || (error as ApiError).code === code
}

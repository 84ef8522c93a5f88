import type { ApiErrorCode } from './error-code.ts'

export type ApiErrorDetail = { path: string; message: string }
type Extras = {
  details?: readonly ApiErrorDetail[]
  headers?: Record<string, string>
  isUnavailable?: boolean
}

/** An error the caller can act on. Anything else that is thrown becomes `internal_error`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly details: readonly ApiErrorDetail[]
  readonly headers: Record<string, string>
  /** It ends by itself: 503 wherever the contract has that status. */
  readonly isUnavailable: boolean

  constructor(
    code: ApiErrorCode,
    message: string,
    { details = [], headers = {}, isUnavailable = false }: Extras = {},
  ) {
    super(message)
    this.isUnavailable = isUnavailable
    this.code = code
    this.details = details
    this.headers = headers
  }
}

/** No one fixes more at once. */
const MAX_DETAILS = 50

export function validationError(problems: readonly ApiErrorDetail[]): ApiError {
  const message = problems.length === 1 ? 'One value is not valid.' : 'Some values are not valid.'
  return new ApiError('validation_error', message, { details: problems.slice(0, MAX_DETAILS) })
}

export function methodNotAllowed(allow: string): ApiError {
  return new ApiError('method_not_allowed', `This path takes ${allow}.`, {
    headers: { Allow: allow },
  })
}

const RETRY_SECONDS = 5

/** The service cannot do this now, and will again without a change by the caller. */
export function unavailable(
  message = 'The service is temporarily unavailable. Retry in a few seconds.',
  retrySeconds = RETRY_SECONDS,
): ApiError {
  const headers = { 'Retry-After': String(retrySeconds) }
  return new ApiError('internal_error', message, { headers, isUnavailable: true })
}

/** Seconds until a request for an organization that is being moved may succeed. */
const MOVE_SECONDS = 60

/** For an organization that is being moved to another installation. */
export const beingMoved = (message: string): ApiError => unavailable(message, MOVE_SECONDS)

/** For a path that does not exist. */
export const noSuchAddress = (): ApiError =>
  new ApiError('not_found', 'There is nothing at this address.')

export function notFound(what: string): ApiError {
  return new ApiError('not_found', `No such ${what} in this organization.`)
}

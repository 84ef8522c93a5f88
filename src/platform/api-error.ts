import type { ApiErrorCode } from './error-code.ts'

export type ApiErrorDetail = { path: string; message: string }
type Extras = { details?: readonly ApiErrorDetail[]; headers?: Record<string, string> }

/** An error the caller can act on. Anything else that is thrown becomes `internal_error`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly details: readonly ApiErrorDetail[]
  readonly headers: Record<string, string>

  constructor(code: ApiErrorCode, message: string, { details = [], headers = {} }: Extras = {}) {
    super(message)
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

/** For a path that does not exist. */
export const noSuchAddress = (): ApiError =>
  new ApiError('not_found', 'There is nothing at this address.')

export function notFound(what: string): ApiError {
  return new ApiError('not_found', `No such ${what} in this organization.`)
}

// API errors, grouped by what a person can do about them.
import type { PublicErrorCode } from '../../../src/contract/public/errors.ts'
import { errorText } from '../messages/errors.ts'
import { type FieldSentences, toSentence } from '../messages/field-problems.ts'

export type FieldProblem = { path: string; message: string }

/** The server rejected the request and gave a reason. */
export class ApiProblem extends Error {
  readonly code: PublicErrorCode
  readonly details: readonly FieldProblem[]
  readonly requestId: string
  /** Set when the server asks the client to wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    error: {
      code: PublicErrorCode
      message: string
      details?: readonly FieldProblem[]
      requestId?: string
    },
    retryAfterSeconds?: number,
  ) {
    super(error.message)
    this.code = error.code
    this.details = error.details ?? []
    this.requestId = error.requestId ?? ''
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No response, or a response from something other than our server. */
export class NoConnection extends Error {
  constructor() {
    super(errorText.noConnection)
  }
}

/** The browser or the person refused, with a sentence about it. */
export class BrowserProblem extends Error {}

export const isProblem = (error: unknown, code: PublicErrorCode): error is ApiProblem =>
  error instanceof ApiProblem && error.code === code

/** The service says when it works again: its database fails over, or the organization is being moved. */
export const isTemporary = (error: unknown): error is ApiProblem & { retryAfterSeconds: number } =>
  isProblem(error, 'internal_error') && error.retryAfterSeconds !== undefined

const isAt = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`)

/** The problem of one field. A problem of one of its parts (`expectedStatus.0`) counts as the field's own. */
export function problemAt(
  error: unknown,
  field: string,
  sentences: FieldSentences = {},
): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  const found = error.details.find(({ path }) => isAt(path, field))
  return found && toSentence(sentences[field], found.message)
}

/** How many of these fields have a problem. */
export function countProblems(error: unknown, fields: readonly string[]): number {
  return fields.filter((field) => problemAt(error, field) !== undefined).length
}

/** What to show above a form: problems of fields that are not shown, or of no field. */
export function otherProblems(error: unknown, fields: readonly string[]): string[] {
  if (error === null || error === undefined) return []
  if (!(error instanceof ApiProblem) || error.details.length === 0) return [messageOf(error)]
  return error.details
    .filter(({ path }) => !fields.some((field) => isAt(path, field)))
    .map(({ path, message }) => `${path} ${message}.`)
}

export function messageOf(error: unknown): string {
  if (isProblem(error, 'internal_error') && !isTemporary(error)) return errorText.server
  if (error instanceof ApiProblem || error instanceof NoConnection) return error.message
  if (error instanceof BrowserProblem) return error.message
  return errorText.page
}

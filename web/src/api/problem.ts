// API errors, grouped by what a person can do about them.
import type { PublicErrorCode } from '../../../src/contract/public/errors.ts'

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
    super('The server cannot be reached.')
  }
}

export const isProblem = (error: unknown, code: PublicErrorCode): boolean =>
  error instanceof ApiProblem && error.code === code

/** Turns the server's message into a sentence. It is written to follow a field name: "must be …". */
function fieldSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** The problem of one field. A problem of one of its parts (`expectedStatus.0`) counts as the field's own. */
export function problemAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  const found = error.details.find((one) => one.path === path || one.path.startsWith(`${path}.`))
  return found && fieldSentence(found.message)
}

/** What to show above a form: problems of fields that are not shown, or of no field. */
export function otherProblems(error: unknown, fields: readonly string[]): string[] {
  if (error === null || error === undefined) return []
  if (!(error instanceof ApiProblem)) return [messageOf(error)]
  if (error.details.length === 0) return [error.message]
  return error.details
    .filter(({ path }) => !fields.some((field) => path === field || path.startsWith(`${field}.`)))
    .map(({ path, message }) => `${path} ${message}.`)
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiProblem || error instanceof NoConnection) return error.message
  return 'Something in this page failed. Reload it, and tell us if it stays.'
}

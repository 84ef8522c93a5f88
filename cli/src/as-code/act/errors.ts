import { ApiError, ConnectionError } from '@upvane/sdk'
import { explainError } from '../../api/client.ts'

const FATAL = ['unauthorized', 'forbidden', 'subscription_required']

/** Nothing else will work after such an error. */
export function isFatal(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  return error instanceof ApiError && FATAL.includes(error.code)
}

export function messageOf(error: Error): string {
  return explainError(error) ?? error.message
}

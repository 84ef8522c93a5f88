// A client of the service for one run of a command.
import { ConnectionError, isApiError, TimeoutError, Upvane, type UpvaneError } from '@upvane/sdk'
import { readConnection } from '../account/connection.ts'
import type { Profile } from '../account/profiles.ts'
import { type Call, CommandError, type Environment } from '../command.ts'
import { clean } from '../terminal/text.ts'

type ClientHooks = { onRateLimitWait?: (waitMs: number) => void }

const ADDRESS_ADVICE = 'Check its address: UPVANE_URL, or "upv profiles list".'

/** Paced, so that long lists wait for the rate limit instead of failing. */
export async function openClient(
  call: Call<{ readonly profile?: string | undefined }>,
  hooks: ClientHooks = {},
) {
  return createClient(await readConnection(call.env, call.options.profile), hooks)
}

export function createClient({ url, key }: Profile, hooks: ClientHooks = {}): Upvane {
  try {
    return new Upvane({ baseUrl: url, apiKey: key, pace: true, ...hooks })
  } catch (error) {
    // A wrong option. Its message never repeats the value.
    if (error instanceof TypeError) throw new CommandError(2, error.message)
    throw error
  }
}

/** What went wrong with a request, in one line for people. Undefined if the error is no error of the client. */
export function explainError(error: unknown, env: Environment = process.env): string | undefined {
  if (isApiError(error, 'unauthorized'))
    // A profile would not be used: the variable overrides it.
    return (env['UPVANE_API_KEY'] ?? '') === ''
      ? 'the service refused the API key. It may have expired or been revoked: run "upv login".'
      : 'the service refused the API key in UPVANE_API_KEY. It may have expired or been revoked: set another one.'
  if (isApiError(error, 'unexpected_answer'))
    return `what answered is not the API of Upvane (HTTP ${error.status}). ${ADDRESS_ADVICE}`
  if (isApiError(error)) return clean(withoutOperation(error))
  if (error instanceof TimeoutError) return 'the service did not respond in time.'
  if (error instanceof ConnectionError)
    return `the service cannot be reached${reasonOf(error)}. ${ADDRESS_ADVICE}`
  return undefined
}

function withoutOperation({ message, operation }: UpvaneError): string {
  const prefix = `${operation}: `
  return message.startsWith(prefix) ? message.slice(prefix.length) : message
}

// fetch hides the reason two levels deep.
function reasonOf(error: ConnectionError): string {
  const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  return code === undefined ? '' : ` (${clean(code)})`
}

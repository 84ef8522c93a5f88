// An endpoint that exists as long as the command listens. Its secret stays in memory.
import { CommandError } from '../command.ts'

export type Api = { baseUrl: string; key: string }
export type Registration = { endpointId: string; secret: string; end(): Promise<void> }

const TIMEOUT_MS = 10_000
const PATH = '/api/v1/webhook-endpoints'

export async function register(api: Api, url: string): Promise<Registration> {
  const body = JSON.stringify({ url, description: 'upv listen' })
  const response = await callApi(api, PATH, { method: 'POST', body })
  if (response.status !== 201) throw await refusal(response)
  const { id, secret } = (await response.json()) as { id: string; secret: string }
  return {
    endpointId: id,
    secret,
    async end() {
      const ended = await callApi(api, `${PATH}/${id}`, { method: 'DELETE' })
      // It may have been deleted in the meantime.
      if (ended.status !== 200 && ended.status !== 404) throw await refusal(ended)
    },
  }
}

async function callApi(api: Api, path: string, init: RequestInit): Promise<Response> {
  const headers = { 'X-API-Key': api.key, 'Content-Type': 'application/json' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    return await fetch(api.baseUrl.replace(/\/+$/, '') + path, { ...init, headers, signal })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw new CommandError(1, `${api.baseUrl} does not answer (${String(cause)}).`)
  }
}

async function refusal(response: Response): Promise<CommandError> {
  const text = await response.text()
  return new CommandError(1, `${response.url} answered ${response.status}: ${messageIn(text)}`)
}

type Refusal = { error?: { message?: string; details?: { path: string; message: string }[] } }

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as Refusal
    const details = (error?.details ?? []).map(({ path, message }) => `${path} ${message}`)
    return [error?.message ?? 'no reason given.', ...details].join(' ')
  } catch {
    return 'this is not the API of Upvane.'
  }
}

// An endpoint that exists as long as the command listens. Its secret stays in memory.
import { isApiError, type Upvane } from '@upvane/sdk'

export type Registration = { endpointId: string; secret: string; end(): Promise<void> }

const OPTIONS = { timeoutMs: 10_000, maxRetries: 1 }

export async function register(upvane: Upvane, url: string): Promise<Registration> {
  const input = { url, description: 'upv listen' }
  const { id, secret } = await upvane.webhookEndpoints.create(input, OPTIONS)
  return {
    endpointId: id,
    secret,
    async end() {
      try {
        await upvane.webhookEndpoints.delete(id, OPTIONS)
      } catch (error) {
        // It may have been deleted in the meantime.
        if (!isApiError(error, 'not_found')) throw error
      }
    },
  }
}

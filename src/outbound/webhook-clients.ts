// Two clients for the same process: only organizations with private targets may use the operator's allow-list.
// Separate, because a client keeps connections open and decides about an address only when it opens one.
import type { Guard } from './connect.ts'
import { WebhookClient } from './webhook-client.ts'

export type WebhookClients = {
  of(organization: { privateTargets: boolean }): WebhookClient
  close(): Promise<void>
}

export function createWebhookClients(guard: Guard, allowHttp: boolean): WebhookClients {
  const allowListed = new WebhookClient({ guard, allowHttp })
  const publicOnly = new WebhookClient({ guard: { ...guard, allow: [] }, allowHttp })
  return {
    of: ({ privateTargets }) => (privateTargets ? allowListed : publicOnly),
    async close() {
      await Promise.all([allowListed.close(), publicOnly.close()])
    },
  }
}

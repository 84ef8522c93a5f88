// Two clients per process: only organizations with private targets may use the operator's allow-list. They are separate
// because a client keeps connections open and checks addresses only when opening one.
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

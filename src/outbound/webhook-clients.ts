// Three clients per process: only organizations with private targets may use the operator's allow-list. They are separate
// because a client keeps connections open and checks addresses only when opening one.
import type { Guard } from './connect.ts'
import { parseAllowList } from './permit.ts'
import { WebhookClient } from './webhook-client.ts'

export type WebhookClients = {
  of(organization: { privateTargets: boolean }): WebhookClient
  /** For URLs that strangers typed. */
  ofStrangers: WebhookClient
  close(): Promise<void>
}

type ClientOptions = {
  allowHttp: boolean
  /** Private networks that strangers may choose. */
  strangersAllow: readonly string[]
}

export function createWebhookClients(
  guard: Guard,
  { allowHttp, strangersAllow }: ClientOptions,
): WebhookClients {
  const allowListed = new WebhookClient({ guard, allowHttp })
  const publicOnly = new WebhookClient({ guard: { ...guard, allow: [] }, allowHttp })
  const allow = parseAllowList(strangersAllow)
  const ofStrangers = new WebhookClient({ guard: { ...guard, allow }, allowHttp })
  return {
    ofStrangers,
    of: ({ privateTargets }) => (privateTargets ? allowListed : publicOnly),
    async close() {
      await Promise.all([allowListed.close(), publicOnly.close(), ofStrangers.close()])
    },
  }
}

// Where this installation may send events and alerts.
import type { AddressPolicy } from '../domain/events/webhook.ts'
import { isPermitted, isPublic, parseAllowList } from '../outbound/permit.ts'
import type { Config } from '../platform/config/config.ts'

export function addressPolicy({ webhookAllowCidrs, webhookAllowHttp }: Config): AddressPolicy {
  const allow = parseAllowList(webhookAllowCidrs)
  return {
    isPublic,
    isAllowed: (address) => !isPublic(address) && isPermitted(address, allow),
    allowHttp: webhookAllowHttp,
  }
}

// Where this installation may send events and alerts.
import type { AddressPolicy } from '../domain/events/webhook.ts'
import { isPermitted, isPublic, parseAllowList } from '../outbound/permit.ts'
import type { Config } from '../platform/config/config.ts'

export function addressPolicy({ webhookAllowCidrs, webhookAllowHttp }: Config): AddressPolicy {
  return policyOf(webhookAllowCidrs, webhookAllowHttp)
}

/** For URLs that visitors of status pages type. */
export function subscriberPolicy(config: Config): AddressPolicy {
  return policyOf(config.subscriberAllowCidrs, config.webhookAllowHttp)
}

function policyOf(cidrs: readonly string[], allowHttp: boolean): AddressPolicy {
  const allow = parseAllowList(cidrs)
  return {
    isPublic,
    isAllowed: (address) => !isPublic(address) && isPermitted(address, allow),
    allowHttp,
  }
}

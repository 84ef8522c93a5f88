// The operations under /api/ext/v1: some of their own, and private ones for keys.
import type { RequestTrial } from '../../actions/monitors/request-check.ts'
import { EXT_OPERATIONS } from '../../contract/ext/operations.ts'
import type { Config } from '../../platform/config/config.ts'
import { assertComplete, type BoundOperation } from '../http/bind.ts'
import { alertContactOperations } from './alert-contacts.ts'
import { figureOperations } from './figures.ts'
import { monitorOperations } from './monitors.ts'
import { organizationOperations } from './organization.ts'
import { pingAliasOperations } from './ping-aliases.ts'
import { type PeopleFor, servedToKeys } from './served-to-keys.ts'
import { sourceOperations } from './sources.ts'
import { subscriberOperations } from './subscribers.ts'
import { tagOperations } from './tags.ts'

type ExtDeps = {
  config: Config
  privateOperations: readonly BoundOperation[]
  peopleFor: PeopleFor
  requestTrial: RequestTrial
}

export function bindExtOperations(deps: ExtDeps): readonly BoundOperation[] {
  const { config, privateOperations, peopleFor, requestTrial } = deps
  const { resultRetentionDays } = config
  const bound = [
    ...servedToKeys(EXT_OPERATIONS, privateOperations, peopleFor),
    ...alertContactOperations,
    ...figureOperations(resultRetentionDays),
    ...monitorOperations({ requestTrial, peopleFor }),
    ...organizationOperations(resultRetentionDays),
    ...subscriberOperations({ peopleFor, canMail: config.smtp !== undefined }),
    ...tagOperations,
    ...sourceOperations(peopleFor),
    ...pingAliasOperations,
  ]
  assertComplete(EXT_OPERATIONS, bound)
  return bound
}

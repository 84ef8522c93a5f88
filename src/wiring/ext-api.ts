// The extension API: operations of its own, and private ones for keys.
import { createRequestTrial } from '../actions/monitors/request-check.ts'
import { alertContactOperations } from '../api/ext/alert-contacts.ts'
import { bindShared, type PeopleFor } from '../api/ext/bind.ts'
import { figureOperations } from '../api/ext/figures.ts'
import { monitorOperations } from '../api/ext/monitors.ts'
import { organizationOperations } from '../api/ext/organization.ts'
import { pingAliasOperations } from '../api/ext/ping-aliases.ts'
import { sourceOperations } from '../api/ext/sources.ts'
import { subscriberOperations } from '../api/ext/subscribers.ts'
import { tagOperations } from '../api/ext/tags.ts'
import { assertComplete, type BoundOperation } from '../api/http/bind.ts'
import type { BoundPrivateOperation } from '../api/private/bind.ts'
import { EXT_OPERATIONS } from '../contract/ext/operations.ts'
import type { Context } from './context.ts'

type PrivateApi = { operations: readonly BoundPrivateOperation[]; peopleFor: PeopleFor }

export function bindExtOperations(
  { config, bus }: Context,
  { operations, peopleFor }: PrivateApi,
): readonly BoundOperation[] {
  const { resultRetentionDays } = config
  const bound = [
    ...bindShared(EXT_OPERATIONS, operations, peopleFor),
    ...alertContactOperations,
    ...figureOperations(resultRetentionDays),
    ...monitorOperations({ requestTrial: createRequestTrial(bus), peopleFor }),
    ...organizationOperations(resultRetentionDays),
    ...subscriberOperations({ peopleFor, canMail: config.smtp !== undefined }),
    ...tagOperations,
    ...sourceOperations(peopleFor),
    ...pingAliasOperations,
  ]
  assertComplete(EXT_OPERATIONS, bound)
  return bound
}

// Tokens of another tool under which jobs continue to ping CRON monitors.
import type { Static } from 'typebox'
import {
  MAX_ALIAS_TOKEN_CHARACTERS,
  MAX_ALIASES_AT_ONCE,
  MAX_ALIASES_OF_MONITOR,
  MIN_ALIAS_TOKEN_CHARACTERS,
} from '../../domain/monitors/ping-alias.ts'
import { closed, Deleted, id, input, nullable } from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation } from './operation.ts'

const tag = 'Ping aliases'
const PATH = '/api/ext/v1/ping-aliases'

export const PingAliasAddress = closed({
  prefix: nullable(
    Type.String({
      description:
        'Address below which old tokens work: append `/` and the token. Keep it secret. Null before the first alias.',
    }),
  ),
  total: Type.Integer({ description: 'How many aliases there are. Their tokens cannot be read.' }),
})

export const PingAlias = input({
  monitorId: Type.String({ minLength: 1, maxLength: 64, description: 'Id of a CRON monitor.' }),
  token: Type.String({
    minLength: MIN_ALIAS_TOKEN_CHARACTERS,
    maxLength: MAX_ALIAS_TOKEN_CHARACTERS,
    description:
      'The old token: of a push monitor in Uptime Kuma, or of a check in Healthchecks (its UUID, or ping key and slug with a slash between).',
  }),
})

export const PingAliasInput = input({
  aliases: Type.Array(PingAlias, {
    maxItems: MAX_ALIASES_AT_ONCE,
    description: `Each token once. A token that exists already leads to the monitor given here. A monitor may have ${MAX_ALIASES_OF_MONITOR}.`,
  }),
})

const ALIASES: Static<typeof PingAliasAddress> = {
  prefix: 'https://upvane.example.com/hb/alias/vK3mQ8xTz1Rb5Lw0YcNd7HpJ',
  total: 1,
}
const MONITOR_ID = 'mon_01m7e3dhx0e008000mxrf1bnxa'

export const getPingAliases = extOperation({
  id: 'getPingAliases',
  method: 'GET',
  path: PATH,
  tag,
  summary: 'Get the address of ping aliases',
  description:
    'Where old tokens work, and how many there are. Read-only keys do not see the address.',
  reply: { status: 200, description: 'The address.', body: PingAliasAddress, example: ALIASES },
})

export const addPingAliases = extOperation({
  id: 'addPingAliases',
  method: 'POST',
  path: PATH,
  tag,
  summary: 'Add ping aliases',
  description:
    'Lets jobs ping under tokens of another tool: `{prefix}/{token}`, with `/start`, `/fail`, `/log` or an exit status behind it, or with `?status=down`. Only hashes are stored. 409 `conflict` if a monitor does not exist or is not of type CRON.',
  body: {
    schema: PingAliasInput,
    required: true,
    example: { aliases: [{ monitorId: MONITOR_ID, token: 'eYaNuTzjHT' }] },
  },
  reply: { status: 200, description: 'The address.', body: PingAliasAddress, example: ALIASES },
})

export const removePingAliases = extOperation({
  id: 'removePingAliases',
  missing: 'alias',
  method: 'DELETE',
  path: '/api/ext/v1/monitors/{monitorId}/ping-aliases',
  tag,
  summary: 'Remove the ping aliases of a monitor',
  description: 'Its own heartbeat address continues to work.',
  params: Type.Object({ monitorId: id('Id of the monitor.') }),
  reply: {
    status: 200,
    description: 'The id of the monitor.',
    body: Deleted,
    example: { data: { id: MONITOR_ID } },
  },
})

export const PING_ALIAS_OPERATIONS = [getPingAliases, addPingAliases, removePingAliases] as const

import { addPingAliases } from '../../actions/monitors/add-ping-aliases.ts'
import * as contract from '../../contract/ext/ping-aliases.ts'
import { aliasTokenProblems } from '../../domain/monitors/ping-alias.ts'
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { notFound } from '../../platform/api-error.ts'
import { countAliases, deleteAliases, findAliasId } from '../../store/monitors/ping-aliases.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const get: Handler<typeof contract.getPingAliases> = async (_input, context) => {
  const { tenant, caller, baseUrl } = context
  const { total } = await countAliases(tenant)
  // With it and a token, anyone can ping.
  const id = caller.access === 'FULL' ? await findAliasId(tenant) : undefined
  return { prefix: id === undefined ? null : toPrefix(baseUrl, id), total }
}

const add: Handler<typeof contract.addPingAliases> = async ({ body }, { tx, baseUrl }) => {
  const aliases = body.aliases.map(({ monitorId, token }) => {
    const monitorUuid = fromPublicId('mon', monitorId)
    if (monitorUuid === undefined) throw notFound('monitor')
    return { monitorUuid, token }
  })
  const id = await addPingAliases(tx, aliases)
  const { total } = await countAliases(tx)
  return { prefix: toPrefix(baseUrl, id), total }
}

const remove: Handler<typeof contract.removePingAliases> = async ({ params }, { tx }) => {
  if ((await deleteAliases(tx, params.monitorId)) === 0) throw notFound('alias')
  return { data: { id: toPublicId('mon', params.monitorId) } }
}

export const pingAliasOperations: readonly BoundOperation[] = [
  bind(contract.getPingAliases, get),
  bind(contract.addPingAliases, add, { rules: addRules }),
  bind(contract.removePingAliases, remove),
]

const toPrefix = (baseUrl: string, id: string): string => `${baseUrl}/hb/alias/${id}`

function addRules({ aliases }: Record<string, unknown>): Problem[] {
  if (!Array.isArray(aliases)) return []
  // Safe because a list that is invalid on its own is missing here.
  const tokens = aliases.map((alias) => (alias as { token: string }).token)
  const twice = new Set(tokens.filter((token, at) => tokens.indexOf(token) !== at))
  return tokens.flatMap((token, at) => {
    const path = `aliases.${at}.token`
    if (twice.has(token)) return [{ path, message: 'must be there only once' }]
    return aliasTokenProblems(path, token)
  })
}

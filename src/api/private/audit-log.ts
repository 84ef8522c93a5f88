// The audit log, as an organization's admins read and search it.
import * as contract from '../../contract/private/audit-log.ts'
import type { AuditChange } from '../../domain/people/audit-entry.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { type AuditLine, listAuditLog } from '../../store/people/audit-log.ts'
import { findNames } from '../../store/people/audit-names.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listAuditLog> = async ({ query }, { tenant }) => {
  const { limit, offset } = query
  const { lines, total } = await listAuditLog(tenant, query, { limit, offset })
  const names = await findNames(
    tenant,
    lines.flatMap(({ resourceId }) => resourceId ?? []),
  )
  const data = lines.map((line) => toApiLine(line, names))
  return { data, pagination: { limit, offset, total } }
}

export const auditLogOperations: readonly BoundOperation[] = [bind(contract.listAuditLog, list)]

const PREFIXES = { API_KEY: 'key', USER: 'usr', OPERATOR: null, ALERT_CONTACT: 'act' } as const

function toApiLine(line: AuditLine, names: ReadonlyMap<string, string>) {
  const { uuid, at, actorType: type, actorId, actorName: name, action, resourceId } = line
  const { requestId, detail } = line
  const prefix = PREFIXES[type]
  const current = resourceId === null ? undefined : names.get(resourceId)
  return {
    id: toPublicId('aud', uuid),
    at,
    actor: {
      type,
      id: actorId === null || prefix === null ? null : toPublicId(prefix, actorId),
      name,
    },
    action,
    resourceId,
    resourceName: line.resourceName ?? current ?? null,
    exists: current !== undefined,
    requestId,
    changes: (detail.changes ?? []).map((change) => ({ ...change })),
    verb: detail.verb ?? null,
    count: detail.count ?? null,
    via: detail.via ?? null,
  }
}

/** `name: API health -> API; requestBody` */
export function changesText(changes: readonly AuditChange[] = []): string {
  return changes
    .map(({ field, from, to }) => {
      const values = [from, to].filter((value) => value !== undefined)
      const texts = values.map((value) => value ?? '–')
      return texts.length === 0 ? field : `${field}: ${texts.join(' -> ')}`
    })
    .join('; ')
}

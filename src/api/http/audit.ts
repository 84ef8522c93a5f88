// The audit entry of a write: who did what to which object, what the object is called, and what changed about it.
import type { BaseOperation } from '../../contract/operation.ts'
import {
  type AuditChange,
  type AuditDetail,
  type AuditedFields,
  changesBetween,
  toAuditName,
  toAuditValue,
} from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { appendAudit, lockAudited } from '../../store/people/audit-log.ts'
import { findName } from '../../store/people/audit-names.ts'
import { AUDITED } from './audited.ts'
import type { Caller } from './caller.ts'

type AuditedWrite = {
  bound: { operation: BaseOperation }
  input: { params: Record<string, string>; body?: unknown }
  caller: Caller
  requestId: string
}

/** The object before the write. */
type Before = { name?: string | undefined; fields?: AuditedFields | undefined }

/** An object that is deleted is named before it is gone. What only loses a part is compared as well. */
export async function readBefore(tx: TenantTx, { bound, input }: AuditedWrite): Promise<Before> {
  const { id: action, method } = bound.operation
  const id = firstParameter(input)
  const name = method === 'DELETE' && id ? await findName(tx, id) : undefined
  const readFields = AUDITED[action]
  if (readFields === undefined) return { name }
  await lockAudited(tx, id ?? action)
  return { name, fields: await readFields(tx, id ?? '') }
}

type Outcome = { output: unknown; before: Before }

export async function appendEntry(
  tx: TenantTx,
  write: AuditedWrite,
  { output, before }: Outcome,
): Promise<void> {
  const { bound, input, caller, requestId } = write
  const { id: action } = bound.operation
  const resourceId = auditedId(action, input, output)
  const name = before.name ?? nameIn(output) ?? (resourceId && (await findName(tx, resourceId)))
  const changes = [...(await changesBy(tx, write, before)), ...givenTo(action, input.body)]
  const detail: AuditDetail = {
    ...(changes.length > 0 && { changes }),
    ...bulkOf(action, output),
    ...(caller.via !== undefined && { via: caller.via }),
  }
  const resourceName = name ? toAuditName(name) : null
  const { actor } = caller
  await appendAudit(tx, { actor, action, resourceId, resourceName, requestId, detail })
}

export function resourceIdOf(input: AuditedWrite['input'], output: unknown): string | null {
  return textIn(output, 'id') ?? firstParameter(input) ?? null
}

/** A note has an id of its own, but people look for its incident. */
function auditedId(action: string, input: AuditedWrite['input'], output: unknown): string | null {
  const own = action === 'addIncidentNote' ? firstParameter(input) : undefined
  return own ?? resourceIdOf(input, output)
}

async function changesBy(
  tx: TenantTx,
  { bound, input }: AuditedWrite,
  { fields }: Before,
): Promise<AuditChange[]> {
  const readFields = AUDITED[bound.operation.id]
  if (fields === undefined || readFields === undefined) return []
  const after = await readFields(tx, firstParameter(input) ?? '')
  return after === undefined ? [] : changesBetween(fields, after)
}

/** What only the request knows: a password is never read back, and a bulk has no old values. */
function givenTo(action: string, body: unknown): AuditChange[] {
  const given = (body ?? {}) as Record<string, unknown>
  if (action === 'updateStatusPage' && given['password'] !== undefined)
    return [{ field: 'password' }]
  if (action !== 'startMonitorBulk') return []
  return ['intervalSeconds', 'addTags']
    .map((field) => ({ field, to: toAuditValue(given[field]) }))
    .filter(({ to }) => to !== null)
}

function bulkOf(action: string, output: unknown): AuditDetail {
  // Safe because each is the response of this operation.
  if (action === 'importMonitors')
    return { count: (output as { created: number }).created, verb: 'IMPORT' }
  if (action !== 'startMonitorBulk') return {}
  const { total, do: verb } = output as { total: number; do: string }
  return { count: total, verb }
}

const nameIn = (output: unknown): string | undefined =>
  textIn(output, 'name') ?? textIn(output, 'title')

function textIn(output: unknown, field: string): string | undefined {
  const { [field]: text } = output as Record<string, unknown>
  return typeof text === 'string' ? text : undefined
}

const firstParameter = ({ params }: AuditedWrite['input']): string | undefined =>
  Object.values(params)[0]

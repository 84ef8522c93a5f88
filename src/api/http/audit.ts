// The audit entry of a write: who did what to which object, what the object is called, and what changed about it.
import {
  type AuditChange,
  type AuditDetail,
  type AuditedFields,
  changesBetween,
  toAuditName,
} from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { appendAudit, lockAudited } from '../../store/people/audit-log.ts'
import { findName } from '../../store/people/audit-names.ts'
import type { BoundOperation } from './bind.ts'
import type { Caller } from './caller.ts'

type AuditedWrite = {
  bound: Pick<BoundOperation, 'operation' | 'audited'>
  input: { params: Record<string, string>; body?: unknown }
  caller: Caller
  requestId: string
}

type Body = Record<string, unknown>
/** The object before the write. */
type Before = { name?: string | undefined; fields?: AuditedFields | undefined }

/** An object that is deleted is named before it is gone. What only loses a part is compared as well. */
export async function readBefore(tx: TenantTx, { bound, input }: AuditedWrite): Promise<Before> {
  const { id: action, method } = bound.operation
  const id = firstParameter(input)
  const name = method === 'DELETE' && id ? await findName(tx, id) : undefined
  const { read } = bound.audited ?? {}
  if (read === undefined) return { name }
  await lockAudited(tx, id ?? action)
  return { name, fields: await read(tx, id ?? '') }
}

type Outcome = { output: unknown; before: Before }

export async function appendEntry(
  tx: TenantTx,
  write: AuditedWrite,
  { output, before }: Outcome,
): Promise<void> {
  const { bound, input, caller, requestId } = write
  const own = bound.audited?.ofPath && firstParameter(input)
  const resourceId = own ?? resourceIdOf(input, output)
  const name = before.name ?? nameIn(output) ?? (resourceId && (await findName(tx, resourceId)))
  const resourceName = name ? toAuditName(name) : null
  const changes = await changesBy(tx, write, before)
  const detail = detailOf(write, output, changes)
  const { actor } = caller
  const action = bound.operation.id
  await appendAudit(tx, { actor, action, resourceId, resourceName, requestId, detail })
}

function detailOf(
  { bound, input, caller }: AuditedWrite,
  output: unknown,
  compared: readonly AuditChange[],
): AuditDetail {
  const { audited } = bound
  const changes = [...compared, ...(audited?.given?.((input.body ?? {}) as Body) ?? [])]
  return {
    ...(changes.length > 0 && { changes }),
    ...audited?.detail?.(output),
    ...(caller.via !== undefined && { via: caller.via }),
  }
}

export function resourceIdOf(input: AuditedWrite['input'], output: unknown): string | null {
  return textIn(output, 'id') ?? firstParameter(input) ?? null
}

async function changesBy(
  tx: TenantTx,
  { bound, input }: AuditedWrite,
  { fields }: Before,
): Promise<AuditChange[]> {
  const { read } = bound.audited ?? {}
  if (fields === undefined || read === undefined) return []
  const after = await read(tx, firstParameter(input) ?? '')
  return after === undefined ? [] : changesBetween(fields, after)
}

const nameIn = (output: unknown): string | undefined =>
  textIn(output, 'name') ?? textIn(output, 'title')

function textIn(output: unknown, field: string): string | undefined {
  const { [field]: text } = output as Record<string, unknown>
  return typeof text === 'string' ? text : undefined
}

const firstParameter = ({ params }: AuditedWrite['input']): string | undefined =>
  Object.values(params)[0]

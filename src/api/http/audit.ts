// The audit entry of a write: who did what to which object, what the object is called, and what changed about it.
import { toAuditName } from '../../domain/people/audit-entry.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { appendAudit } from '../../store/people/audit-log.ts'
import { findName } from '../../store/people/audit-names.ts'
import type { Audited } from './audited.ts'
import type { BoundOperation } from './bind.ts'
import type { Caller } from './caller.ts'

type AuditedWrite = {
  bound: Pick<BoundOperation, 'operation'>
  input: { params: Record<string, string>; body?: unknown }
  caller: Caller
  requestId: string
}

/** An object that is deleted is named before it is gone. */
export async function nameBefore(
  tx: TenantTx,
  { bound, input }: AuditedWrite,
): Promise<string | undefined> {
  const id = firstParameter(input)
  return bound.operation.method === 'DELETE' && id ? findName(tx, id) : undefined
}

type Outcome = Audited<unknown> & { name?: string | undefined }

export async function appendEntry(
  tx: TenantTx,
  { bound, input, caller, requestId }: AuditedWrite,
  { output, detail, name: nameOfDeleted }: Outcome,
): Promise<void> {
  const { ofPath, changes = [], ...more } = detail
  const own = ofPath && firstParameter(input)
  const resourceId = own ?? resourceIdOf(input, output)
  const name = nameOfDeleted ?? nameIn(output) ?? (resourceId && (await findName(tx, resourceId)))
  const resourceName = name ? toAuditName(name) : null
  const { actor, via } = caller
  const action = bound.operation.id
  const about = { actor, action, resourceId, resourceName, requestId }
  const kept = { ...(changes.length > 0 && { changes }), ...more, ...(via && { via }) }
  await appendAudit(tx, { ...about, detail: kept })
}

export function resourceIdOf(input: AuditedWrite['input'], output: unknown): string | null {
  return textIn(output, 'id') ?? firstParameter(input) ?? null
}

const nameIn = (output: unknown): string | undefined =>
  textIn(output, 'name') ?? textIn(output, 'title')

function textIn(output: unknown, field: string): string | undefined {
  const { [field]: text } = output as Record<string, unknown>
  return typeof text === 'string' ? text : undefined
}

const firstParameter = ({ params }: AuditedWrite['input']): string | undefined =>
  Object.values(params)[0]

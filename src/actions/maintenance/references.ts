import type { WindowSettings } from '../../domain/maintenance/window.ts'
import { fromPublicId } from '../../domain/values/id.ts'
import type { Problem } from '../../domain/values/problem.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockReferences } from '../../store/maintenance/maintenance-windows.ts'

/** Settings as the caller gives them: monitors and pages by public id. */
export type GivenSettings = Omit<WindowSettings, 'monitorUuids' | 'pageUuids'> & {
  monitorIds: readonly string[]
  statusPageIds: readonly string[]
}

type References = Pick<WindowSettings, 'monitorUuids' | 'pageUuids'>

/** Resolves the given ids and reports unknown ones. Duplicates count once. */
export async function findReferences(
  tx: TenantTx,
  { monitorIds, statusPageIds }: Partial<GivenSettings>,
): Promise<{ references: Partial<References>; problems: Problem[] }> {
  const monitors = monitorIds && (await resolve(tx, 'monitors', monitorIds))
  const pages = statusPageIds && (await resolve(tx, 'pages', statusPageIds))
  return {
    references: {
      ...(monitors && { monitorUuids: monitors.uuids }),
      ...(pages && { pageUuids: pages.uuids }),
    },
    problems: [...(monitors?.problems ?? []), ...(pages?.problems ?? [])],
  }
}

const KINDS = {
  monitors: { prefix: 'mon', field: 'monitorIds', what: 'monitor' },
  pages: { prefix: 'sp', field: 'statusPageIds', what: 'status page' },
} as const

async function resolve(tx: TenantTx, kind: keyof typeof KINDS, ids: readonly string[]) {
  const { prefix, field, what } = KINDS[kind]
  const uuids = ids.map((id) => fromPublicId(prefix, id))
  const named = [...new Set(uuids.filter((uuid) => uuid !== undefined))]
  const held = named.length === 0 ? new Set() : await lockReferences(tx, kind, named)
  const problems = uuids.flatMap((uuid, index) =>
    held.has(uuid)
      ? []
      : [{ path: `${field}.${index}`, message: `is not a ${what} of this organization` }],
  )
  return { uuids: named, problems }
}

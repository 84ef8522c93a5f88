import { callOrganizationApi } from '../../api/call.ts'
import { useOrganization } from '../../session/organization.ts'
import { MaintenanceDialog } from '../../shared/maintenance-dialog.tsx'
import { type BulkTarget, countOf } from './use-bulk.ts'

// The most monitors that one window can name.
const MAX_NAMED = 500
const PAGE = 100

type Props = { target: BulkTarget; onClose: () => void; onDone: () => void }

export function BulkMaintenance({ target, onClose, onDone }: Props) {
  const { id: organizationId } = useOrganization()
  return (
    <MaintenanceDialog
      count={countOf(target)}
      idsOf={() => idsOf(organizationId, target)}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

/** A window names its monitors, so those that match are read first. One more than allowed is refused by the server. */
async function idsOf(organizationId: string, target: BulkTarget): Promise<string[]> {
  if ('ids' in target) return [...target.ids]
  const ids: string[] = []
  for (let offset = 0; offset <= MAX_NAMED; offset += PAGE) {
    const query = { ...target.filter, sort: 'name' as const, limit: PAGE, offset }
    const { data } = await callOrganizationApi(organizationId, 'GET /overview/monitors', { query })
    ids.push(...data.map(({ id }) => id))
    if (data.length < PAGE) break
  }
  return ids
}

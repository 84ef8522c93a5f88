import { useSearch } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { useRead } from '../../session/use-api.ts'
import { EMPTY_DRAFT, toDraft } from '../../shared/monitor-draft.ts'
import { TYPES } from '../../shared/monitor-types.ts'
import type { Address } from '../../ui/address.ts'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { MonitorForm } from './monitor-form.tsx'

/** `?clone=` names a monitor to copy settings from; `?type=` sets the initial type. */
export function NewMonitor() {
  const { clone, type }: Address = useSearch({ strict: false })
  const start = { ...EMPTY_DRAFT, type: TYPES.find((one) => one.type === type)?.type ?? 'HTTP' }
  return (
    <Page
      title="New monitor"
      about="The first check runs as soon as you save."
      crumbs={[{ label: 'Monitors', to: PATHS.monitors }]}
      narrow
    >
      {clone === undefined ? <MonitorForm start={start} /> : <Clone monitorId={clone} />}
    </Page>
  )
}

function Clone({ monitorId }: { monitorId: string }) {
  const monitor = useRead('GET /monitors/{monitorId}', { params: { monitorId } })
  return (
    <Loaded query={monitor} loading={<Skeleton />}>
      {(original) => {
        const draft = toDraft(original)
        return <MonitorForm start={{ ...draft, name: `${draft.name} (copy)`.slice(0, 120) }} />
      }}
    </Loaded>
  )
}

import { useSearch } from '@tanstack/react-router'
import { useRead } from '../../api/use-api.ts'
import type { Address } from '../../ui/address.ts'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { EMPTY_DRAFT, toDraft } from './draft.ts'
import { MonitorForm } from './monitor-form.tsx'
import { TYPES } from './types.ts'

/** `?clone=` names a monitor to copy settings from; `?type=` sets the initial type. */
export function NewMonitor() {
  const { clone, type }: Address = useSearch({ strict: false })
  const start = { ...EMPTY_DRAFT, type: TYPES.find((one) => one.type === type)?.type ?? 'HTTP' }
  return (
    <Page
      title="New monitor"
      about="The first check runs as soon as you save."
      crumbs={[{ label: 'Monitors', to: '/monitors' }]}
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

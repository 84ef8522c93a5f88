import { useSearch } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { monitorFormText as text } from '../../messages/monitors/monitor-form.ts'
import { useRead } from '../../session/use-api.ts'
import { toDraft } from '../../shared/monitor-draft.ts'
import { newDraft } from '../../shared/monitor-guesses.ts'
import { TYPES } from '../../shared/monitor-types.ts'
import type { Address } from '../../ui/address.ts'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { MonitorForm } from './monitor-form.tsx'

/** `?clone=` names a monitor to copy settings from; `?type=` sets the initial type. */
export function NewMonitor() {
  const { clone, type }: Address = useSearch({ strict: false })
  const start = newDraft(TYPES.find((one) => one.type === type)?.type ?? 'HTTP')
  return (
    <Page
      title={text.titleNew}
      about={text.aboutNew}
      crumbs={[{ label: text.monitors, to: PATHS.monitors }]}
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
        return (
          <MonitorForm
            start={{ ...draft, name: text.copyOf({ name: draft.name }).slice(0, 120) }}
          />
        )
      }}
    </Loaded>
  )
}

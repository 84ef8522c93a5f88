import { useParams } from '@tanstack/react-router'
import { PATHS, pathTo } from '../../../../src/domain/values/dashboard-paths.ts'
import { monitorFormText as text } from '../../messages/monitors/monitor-form.ts'
import { useRead } from '../../session/use-api.ts'
import { ManagedNotice } from '../../shared/managed-by.tsx'
import { toDraft } from '../../shared/monitor-draft.ts'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { MonitorForm } from './monitor-form.tsx'

export function EditMonitor() {
  const { monitorId = '' } = useParams({ strict: false })
  const monitor = useRead('GET /monitors/{monitorId}', { params: { monitorId } })
  const name = monitor.data?.name ?? text.monitor
  return (
    <Page
      title={text.titleEdit({ name })}
      crumbs={[
        { label: text.monitors, to: PATHS.monitors },
        { label: name, to: pathTo(PATHS.monitor, { monitorId }) },
      ]}
      narrow
    >
      <Loaded query={monitor} loading={<Skeleton />}>
        {(found) => (
          <>
            <ManagedNotice id={found.id} />
            <MonitorForm key={found.id} start={toDraft(found)} monitor={found} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

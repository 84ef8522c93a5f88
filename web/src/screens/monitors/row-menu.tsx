import { Ellipsis } from 'lucide-react'
import { lazy, memo, Suspense, useState } from 'react'
import type { MonitorState, MonitorType } from '../../../../src/domain/monitors/monitor.ts'
import { PATHS, pathTo } from '../../../../src/domain/values/dashboard-paths.ts'
import { monitorActionsText } from '../../messages/monitor-actions.ts'
import type { MonitorActions } from '../../session/use-monitor-actions.ts'
import { actionsFor } from '../../shared/monitor-verbs.ts'
import { ACTION_ICONS } from '../../ui/action-icons.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLink } from '../../ui/overlay/menu.tsx'

const MaintenanceDialog = lazy(() =>
  import('../../shared/maintenance-dialog.tsx').then((m) => ({ default: m.MaintenanceDialog })),
)

type Props = {
  id: string
  name: string
  type: MonitorType
  state: MonitorState
  unacknowledgedId: string | null
  actions: MonitorActions
}

/** Only drawn again when its own values change, not with every check of any monitor. */
export const RowMenu = memo(function RowMenu(props: Props) {
  const { id, name, actions, unacknowledgedId } = props
  const [isStarting, setStarting] = useState(false)
  const { menu } = monitorActionsText
  const run = {
    acknowledge: () => unacknowledgedId !== null && actions.acknowledge(unacknowledgedId),
    check: () => actions.check(props),
    pause: () => actions.pause(props),
    resume: () => actions.resume(props),
    maintenance: () => setStarting(true),
  }
  const close = () => setStarting(false)
  return (
    <>
      <Menu
        trigger={
          <Button kind="ghost" square size="sm" aria-label={monitorActionsText.more({ name })}>
            <Ellipsis className="icon" aria-hidden="true" />
          </Button>
        }
      >
        {actionsFor(props).map((action) =>
          action === 'edit' ? (
            <MenuLink
              key={action}
              icon={ACTION_ICONS.edit}
              to={pathTo(PATHS.editMonitor, { monitorId: id })}
            >
              {menu.edit}
            </MenuLink>
          ) : (
            <MenuItem key={action} icon={ACTION_ICONS[action]} onSelect={run[action]}>
              {menu[action]}
            </MenuItem>
          ),
        )}
      </Menu>
      {isStarting && (
        <Suspense>
          <MaintenanceDialog
            count={1}
            of={name}
            idsOf={async () => [id]}
            onClose={close}
            onDone={close}
          />
        </Suspense>
      )}
    </>
  )
})

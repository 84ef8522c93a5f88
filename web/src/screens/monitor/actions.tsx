import { useNavigate } from '@tanstack/react-router'
import {
  Copy,
  Download,
  Ellipsis,
  History,
  Pause,
  Pencil,
  Play,
  RefreshCw,
  Trash2,
  Wrench,
} from 'lucide-react'
import { useState } from 'react'
import { listedState } from '../../../../src/domain/monitors/list-order.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { addressOf } from '../../api/call.ts'
import { monitorText } from '../../messages/monitor.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { MaintenanceDialog } from '../../shared/maintenance-dialog.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import { appearanceOf } from '../../ui/state.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import { ReplayDialog } from './replay/replay-dialog.tsx'
import { checkedMessage } from './verdict-text.ts'

const text = monitorText.actions

export function MonitorActions({ screen }: { screen: MonitorScreen }) {
  const mayWrite = useMay('MEMBER')
  const navigate = useNavigate()
  const { check, toggle, isPaused } = useActions(screen)
  const edit = () => void navigate({ to: PATHS.editMonitor, params: { monitorId: screen.id } })
  const canCheck = screen.type !== 'CRON' && !isPaused
  useShortcuts(
    mayWrite
      ? [
          ...(canCheck
            ? [{ keys: 'c', label: text.check, group: 'This screen' as const, run: check.run }]
            : []),
          { keys: 'p', label: text.pauseOrResume, group: 'This screen', run: toggle.run },
          { keys: 'e', label: text.edit, group: 'This screen', run: edit },
        ]
      : [],
  )
  return (
    <div className="actions" {...useOnlineOnly()}>
      {mayWrite && (
        <>
          {screen.type !== 'CRON' && (
            <Button
              busy={check.busy}
              whyNot={isPaused ? text.resumeFirst : undefined}
              onClick={check.run}
            >
              {!check.busy && <RefreshCw className="icon" aria-hidden="true" />}
              {check.busy ? text.checking : text.check}
            </Button>
          )}
          <Button busy={toggle.busy} onClick={toggle.run}>
            {isPaused ? (
              <Play className="icon" aria-hidden="true" />
            ) : (
              <Pause className="icon" aria-hidden="true" />
            )}
            {isPaused ? text.resume : text.pause}
          </Button>
          <ButtonLink
            to={PATHS.editMonitor}
            params={{ monitorId: screen.id }}
            aria-label={text.edit}
          >
            <Pencil className="icon" aria-hidden="true" />
            <span className="hide-phone">{text.edit}</span>
          </ButtonLink>
        </>
      )}
      <MoreMenu screen={screen} />
    </div>
  )
}

function useActions(screen: MonitorScreen) {
  const { id: monitorId, state, name } = screen
  const input = { params: { monitorId }, body: {} }
  const isPaused = state === 'PAUSED'
  const checking = useWrite('POST /monitors/{monitorId}/check', {
    onDone: (after) =>
      toast(
        checkedMessage(screen, after, appearanceOf(listedState(after)).word),
        after.state === 'DOWN' ? 'bad' : 'good',
      ),
  })
  const resuming = useWrite('POST /monitors/{monitorId}/resume', {
    onDone: () => toast(text.resumed({ name })),
  })
  const pausing = useWrite('POST /monitors/{monitorId}/pause', {
    onDone: () => toast(text.paused({ name }), 'good', { run: () => resuming.mutate(input) }),
  })
  const toggling = isPaused ? resuming : pausing
  return {
    isPaused,
    check: { busy: checking.isPending, run: () => checking.mutate(input) },
    toggle: { busy: pausing.isPending || resuming.isPending, run: () => toggling.mutate(input) },
  }
}

function MoreMenu({ screen }: { screen: MonitorScreen }) {
  const { id: monitorId } = screen
  const { id: organizationId } = useOrganization()
  const mayWrite = useMay('MEMBER')
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'delete' | 'maintenance' | 'replay'>()
  const close = () => setAsked(undefined)
  const download = () =>
    window.location.assign(
      addressOf(organizationId, 'GET /exports/monitors/{monitorId}/checks.csv', {
        params: { monitorId },
      }),
    )
  return (
    <>
      <Menu
        trigger={
          <Button square aria-label={text.more}>
            <Ellipsis className="icon" aria-hidden="true" />
          </Button>
        }
      >
        {mayWrite && (
          <>
            <MenuItem icon={Wrench} onSelect={() => setAsked('maintenance')}>
              {text.maintenance}
            </MenuItem>
            <MenuItem
              icon={Copy}
              onSelect={() => void navigate({ to: PATHS.newMonitor, search: { clone: monitorId } })}
            >
              {text.clone}
            </MenuItem>
          </>
        )}
        <MenuItem icon={History} onSelect={() => setAsked('replay')}>
          {text.replay}
        </MenuItem>
        <MenuItem icon={Download} onSelect={download}>
          {text.export}
        </MenuItem>
        {mayWrite && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} danger onSelect={() => setAsked('delete')}>
              {text.delete}
            </MenuItem>
          </>
        )}
      </Menu>
      <ConfirmDelete screen={screen} open={asked === 'delete'} onClose={close} />
      {asked === 'replay' && <ReplayDialog screen={screen} onClose={close} />}
      {asked === 'maintenance' && (
        <MaintenanceDialog
          count={1}
          idsOf={async () => [monitorId]}
          onClose={close}
          onDone={close}
        />
      )}
    </>
  )
}

type ConfirmProps = { screen: MonitorScreen; open: boolean; onClose: () => void }

function ConfirmDelete({ screen, open, onClose }: ConfirmProps) {
  const { id: monitorId, name, incidents30d } = screen
  const navigate = useNavigate()
  const remove = useWrite('DELETE /monitors/{monitorId}', {
    onDone: () => {
      toast(text.deleted({ name }))
      void navigate({ to: PATHS.monitors })
    },
  })
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={text.deleteTitle({ name })}
      about={text.deleteAbout({ incidents30d })}
      action={text.deleteAction}
      busy={remove.isPending}
      run={() => remove.mutate({ params: { monitorId } })}
    />
  )
}

import { useNavigate } from '@tanstack/react-router'
import { Copy, Download, Ellipsis, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { addressOf } from '../../api/call.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { plural } from '../../time/figures.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import { appearanceOf } from '../../ui/state.tsx'
import type { MonitorScreen } from './monitor-screen.ts'

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
            ? [{ keys: 'c', label: 'Check now', group: 'This screen' as const, run: check.run }]
            : []),
          { keys: 'p', label: 'Pause or resume', group: 'This screen', run: toggle.run },
          { keys: 'e', label: 'Edit', group: 'This screen', run: edit },
        ]
      : [],
  )
  return (
    <div className="actions">
      {mayWrite && (
        <>
          {screen.type !== 'CRON' && (
            <Button
              busy={check.busy}
              whyNot={isPaused ? 'Resume it first' : undefined}
              onClick={check.run}
            >
              {!check.busy && <RefreshCw className="icon" aria-hidden="true" />}
              {check.busy ? 'Checking' : 'Check now'}
            </Button>
          )}
          <Button busy={toggle.busy} onClick={toggle.run}>
            {isPaused ? (
              <Play className="icon" aria-hidden="true" />
            ) : (
              <Pause className="icon" aria-hidden="true" />
            )}
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
          <ButtonLink
            className="hide-phone"
            to={PATHS.editMonitor}
            params={{ monitorId: screen.id }}
          >
            <Pencil className="icon" aria-hidden="true" />
            Edit
          </ButtonLink>
        </>
      )}
      <MoreMenu screen={screen} edit={edit} />
    </div>
  )
}

function useActions({ id: monitorId, state, name }: MonitorScreen) {
  const input = { params: { monitorId }, body: {} }
  const isPaused = state === 'PAUSED'
  const checking = useWrite('POST /monitors/{monitorId}/check', {
    onDone: (after) =>
      toast(
        `Checked: ${appearanceOf(after.state).word.toLowerCase()}`,
        after.state === 'DOWN' ? 'bad' : 'good',
      ),
  })
  const resuming = useWrite('POST /monitors/{monitorId}/resume', {
    onDone: () => toast(`${name} resumed`),
  })
  const pausing = useWrite('POST /monitors/{monitorId}/pause', {
    onDone: () => toast(`${name} paused`, 'good', { run: () => resuming.mutate(input) }),
  })
  const toggling = isPaused ? resuming : pausing
  return {
    isPaused,
    check: { busy: checking.isPending, run: () => checking.mutate(input) },
    toggle: { busy: pausing.isPending || resuming.isPending, run: () => toggling.mutate(input) },
  }
}

function MoreMenu({ screen, edit }: { screen: MonitorScreen; edit: () => void }) {
  const { id: monitorId, name, incidents30d } = screen
  const { id: organizationId } = useOrganization()
  const mayWrite = useMay('MEMBER')
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const remove = useWrite('DELETE /monitors/{monitorId}', {
    onDone: () => {
      toast(`${name} deleted`)
      void navigate({ to: PATHS.monitors })
    },
  })
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
          <Button square aria-label="More">
            <Ellipsis className="icon" aria-hidden="true" />
          </Button>
        }
      >
        {mayWrite && (
          <>
            <MenuItem icon={Pencil} onSelect={edit}>
              Edit
            </MenuItem>
            <MenuItem
              icon={Copy}
              onSelect={() => void navigate({ to: PATHS.newMonitor, search: { clone: monitorId } })}
            >
              Clone
            </MenuItem>
          </>
        )}
        <MenuItem icon={Download} onSelect={download}>
          Checks as CSV
        </MenuItem>
        {mayWrite && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} danger onSelect={() => setAsking(true)}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${name}?`}
        about={`Removes the monitor with all its checks and incidents${incidents30d === 0 ? '' : ` (${plural(incidents30d, 'incident')} in the last 30 days)`}. This cannot be undone.`}
        action="Delete monitor"
        busy={remove.isPending}
        run={() => remove.mutate({ params: { monitorId } })}
      />
    </>
  )
}

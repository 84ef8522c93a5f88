import { useState } from 'react'
import { maintenanceText } from '../../messages/publishing/maintenance.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { lengthMs, spanOf, type WindowView } from '../../shared/maintenance-window.ts'
import { Confirm } from '../../ui/overlay/dialog.tsx'

export type WindowActions = {
  start: (window: WindowView) => void
  end: (window: WindowView) => void
  extend: (window: WindowView, minutes: number) => void
  remove: (window: WindowView) => void
  busy: boolean
}

const { cancel, done } = maintenanceText

const iso = (ms: number) => new Date(ms).toISOString()

/** The actions of a window's buttons. Starting a recurring window creates a one-time copy and keeps its schedule. */
export function useWindowActions() {
  const [removing, setRemoving] = useState<WindowView>()
  const change = useWrite('PATCH /maintenance-windows/{maintenanceId}')
  const create = useWrite('POST /maintenance-windows', {
    onDone: ({ name }) => toast(done.startedExtra({ name })),
  })
  const remove = useWrite('DELETE /maintenance-windows/{maintenanceId}', {
    onDone: () => {
      toast(done.canceled)
      setRemoving(undefined)
    },
  })
  const patch = (of: WindowView, body: { startsAt?: string; endsAt?: string }, sentence: string) =>
    change.mutate({ params: { maintenanceId: of.id }, body }, { onSuccess: () => toast(sentence) })
  const actions: WindowActions = {
    start: (of) => {
      const now = Date.now()
      const span = { startsAt: iso(now), endsAt: iso(now + lengthMs(spanOf(of))) }
      if (of.recurrence === null) patch(of, span, done.started({ name: of.name }))
      else create.mutate({ body: { ...toCopy(of), ...span } })
    },
    end: (of) => patch(of, { endsAt: iso(Date.now()) }, done.ended({ name: of.name })),
    extend: (of, minutes) =>
      patch(
        of,
        { endsAt: iso(Date.parse(of.endsAt) + minutes * 60_000) },
        done.extended({ name: of.name, minutes }),
      ),
    remove: setRemoving,
    busy: change.isPending || create.isPending,
  }
  const dialogs = (
    <Confirm
      open={removing !== undefined}
      onClose={() => setRemoving(undefined)}
      title={cancel.title({ name: removing?.name ?? '' })}
      about={cancel.about}
      action={cancel.action}
      busy={remove.isPending}
      run={() => removing && remove.mutate({ params: { maintenanceId: removing.id } })}
    />
  )
  return { actions, dialogs }
}

function toCopy(of: WindowView) {
  const { name, description, timezone, allMonitors, monitorIds, statusPageIds } = of
  const { showOnStatusPages, notifySubscribers } = of
  return {
    name,
    description,
    timezone,
    recurrence: null,
    allMonitors,
    monitorIds,
    statusPageIds,
    showOnStatusPages,
    notifySubscribers,
  }
}

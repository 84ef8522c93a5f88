// What can be done to any monitor at once, from a list or from the palette.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listedState } from '../../../src/domain/monitors/list-order.ts'
import type { MonitorState } from '../../../src/domain/monitors/monitor.ts'
import { callOrganizationApi } from '../api/call.ts'
import { monitorActionsText } from '../messages/monitor-actions.ts'
import { useOrganization } from './organization.ts'
import { toast, withdrawUndo } from './toast.ts'
import { reportProblem } from './use-api.ts'

type ActionTarget = {
  id: string
  name: string
  type: string | null
  state: MonitorState
}

export type MonitorActions = ReturnType<typeof createActions>

/** They work after the menu or the palette is gone: each reports its end in a toast. The same object as long as the
 * organization is the same. */
export function useMonitorActions(): MonitorActions {
  const { id: organizationId } = useOrganization()
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
    onMutate: withdrawUndo,
    onSuccess: () => void queries.invalidateQueries({ queryKey: [organizationId] }),
    onError: reportProblem,
  })
  return useMemo(() => createActions(organizationId, mutate), [organizationId, mutate])
}

function createActions(organizationId: string, run: (work: () => Promise<void>) => void) {
  const inputOf = ({ id }: ActionTarget) => ({ params: { monitorId: id }, body: {} })

  const resume = (of: ActionTarget) =>
    run(async () => {
      await callOrganizationApi(organizationId, 'POST /monitors/{monitorId}/resume', inputOf(of))
      toast(monitorActionsText.resumed({ name: of.name }))
    })
  const pause = (of: ActionTarget) =>
    run(async () => {
      await callOrganizationApi(organizationId, 'POST /monitors/{monitorId}/pause', inputOf(of))
      const undo = { run: () => resume(of) }
      // Pausing closes the incident of a monitor that is down.
      if (of.state !== 'DOWN')
        return toast(monitorActionsText.paused({ name: of.name }), 'good', undo)
      const label = monitorActionsText.resume
      toast(monitorActionsText.pausedWithIncident({ name: of.name }), 'good', { ...undo, label })
    })
  const check = (of: ActionTarget) =>
    run(async () => {
      const route = 'POST /monitors/{monitorId}/check'
      const { state } = await callOrganizationApi(organizationId, route, inputOf(of))
      const sentence = checkedSentence(of.name, listedState(of), listedState({ ...of, state }))
      toast(sentence, state === 'DOWN' ? 'bad' : 'good')
    })
  const acknowledge = (incidentId: string) =>
    run(async () => {
      const input = { params: { incidentId }, body: {} }
      await callOrganizationApi(organizationId, 'POST /incidents/{incidentId}/acknowledge', input)
      toast(monitorActionsText.acknowledged)
    })
  return { resume, pause, check, acknowledge }
}

type State = ReturnType<typeof listedState>

function checkedSentence(name: string, before: State, after: State): string {
  const { checked, stillSo } = monitorActionsText
  return before === after && after !== 'UP' ? stillSo[after]({ name }) : checked[after]({ name })
}

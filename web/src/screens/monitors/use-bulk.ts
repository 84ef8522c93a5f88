// Runs one change on many monitors: the server makes it in rounds, and the count grows with each.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callOrganizationApi } from '../../api/call.ts'
import type { InputOf, ResponseOf } from '../../api/contract.ts'
import { messageOf } from '../../api/problem.ts'
import { monitorActionsText } from '../../messages/monitor-actions.ts'
import { monitorsText } from '../../messages/monitors/monitors.ts'
import { useOrganization } from '../../session/organization.ts'
import { toast, withdrawUndo } from '../../session/toast.ts'

type Start = NonNullable<InputOf<'POST /monitor-bulks'>['body']>
type Bulk = ResponseOf<'POST /monitor-bulks'>
type Filter = NonNullable<Start['filter']>
export type BulkWish = Omit<Start, 'monitorIds' | 'filter' | 'expected'>

/** The selected rows, or everything that matches the filter of the list. */
export type BulkTarget = { ids: readonly string[] } | { filter: Filter; total: number }

export const countOf = (target: BulkTarget): number =>
  'ids' in target ? target.ids.length : target.total

const text = monitorsText.bulk
const DONE: Record<BulkWish['do'], typeof text.changed> = {
  PAUSE: text.paused,
  RESUME: text.resumed,
  DELETE: text.deleted,
  INTERVAL: text.changed,
  CONTACTS: text.changed,
  TAGS: text.changed,
}
const UNDO: Partial<Record<BulkWish['do'], 'PAUSE' | 'RESUME'>> = {
  PAUSE: 'RESUME',
  RESUME: 'PAUSE',
}

/** `hasDown`: whether pausing closes an incident. */
export function useBulk(onDone: () => void, hasDown: boolean) {
  const { id: organizationId } = useOrganization()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<Bulk>()

  async function runOne(change: BulkWish, target: BulkTarget): Promise<Bulk> {
    const which = 'ids' in target ? { monitorIds: [...target.ids] } : { filter: target.filter }
    const body = { ...change, ...which, expected: countOf(target) }
    let bulk = await callOrganizationApi(organizationId, 'POST /monitor-bulks', { body })
    setProgress(bulk)
    const params = { bulkId: bulk.id }
    while (bulk.left > 0) {
      const route = 'POST /monitor-bulks/{bulkId}/rounds'
      bulk = await callOrganizationApi(organizationId, route, { params })
      setProgress(bulk)
    }
    return bulk
  }

  /** Several changes run one after the other. */
  async function run(changes: readonly BulkWish[], target: BulkTarget): Promise<void> {
    withdrawUndo()
    try {
      let last: Bulk | undefined
      for (const change of changes) last = await runOne(change, target)
      if (last !== undefined) report(last, target)
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
    setProgress(undefined)
    onDone()
    void queries.invalidateQueries({ queryKey: [organizationId] })
  }

  function report({ do: verb, changed, refused }: Bulk, target: BulkTarget): void {
    const back = 'ids' in target ? UNDO[verb] : undefined
    const closed = verb === 'PAUSE' && hasDown
    const label = closed ? { label: monitorActionsText.resume } : {}
    const done = DONE[verb]({ count: changed })
    if (changed > 0)
      toast(
        closed ? monitorActionsText.withIncidents({ done }) : done,
        'good',
        back && { ...label, run: () => void run([asChange(back)], target) },
      )
    if (refused > 0) toast(text.refused({ count: refused }), 'bad')
  }
  return { run, progress }
}

/** A change without settings. */
export const asChange = (verb: 'PAUSE' | 'RESUME' | 'DELETE'): BulkWish => ({
  do: verb,
  attachContactIds: [],
  detachContactIds: [],
  addTags: [],
  removeTagIds: [],
})

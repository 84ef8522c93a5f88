// Runs one action on many monitors: a few at a time, with one message at the end.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callOrganizationApi } from '../../api/call.ts'
import { useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { plural } from '../../time/figures.ts'

const AT_ONCE = 4

type BulkVerb = 'pause' | 'resume' | 'delete'

const DONE = { pause: 'paused', resume: 'resumed', delete: 'deleted' } as const
const UNDO = { pause: 'resume', resume: 'pause', delete: undefined } as const

export function useBulk(onDone: () => void) {
  const { id: organizationId } = useOrganization()
  const queries = useQueryClient()
  const [busy, setBusy] = useState<BulkVerb>()

  const doOne = (verb: BulkVerb, monitorId: string): Promise<unknown> => {
    const params = { monitorId }
    if (verb === 'delete')
      return callOrganizationApi(organizationId, 'DELETE /monitors/{monitorId}', { params })
    const route =
      verb === 'pause' ? 'POST /monitors/{monitorId}/pause' : 'POST /monitors/{monitorId}/resume'
    return callOrganizationApi(organizationId, route, { params, body: {} })
  }

  async function run(verb: BulkVerb, ids: readonly string[]): Promise<void> {
    setBusy(verb)
    const done = await inTurns(ids, (id) => doOne(verb, id))
    setBusy(undefined)
    onDone()
    void queries.invalidateQueries({ queryKey: [organizationId] })
    const failed = ids.length - done.length
    const back = UNDO[verb]
    if (done.length > 0)
      toast(
        `${plural(done.length, 'monitor')} ${DONE[verb]}`,
        'good',
        back && { run: () => void run(back, done) },
      )
    if (failed > 0) toast(`${plural(failed, 'monitor')} could not be ${DONE[verb]}`, 'bad')
  }
  return { run, busy }
}

/** Runs a few at a time and returns the ids that succeeded. */
async function inTurns(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<string[]> {
  const waiting = [...ids]
  const done: string[] = []
  const hand = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      await work(id).then(
        () => done.push(id),
        () => undefined,
      )
  }
  await Promise.all(Array.from({ length: AT_ONCE }, hand))
  return done
}

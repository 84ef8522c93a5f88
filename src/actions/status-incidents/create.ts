import { nextUpdateProblems } from '../../domain/status-pages/next-update.ts'
import { MAX_STATUS_PAGES, type StatusIncident } from '../../domain/status-pages/status-incident.ts'
import {
  type Publication,
  publishIncident,
} from '../../domain/status-pages/status-incident-change.ts'
import {
  type References,
  referencedUuids,
  resolveReferences,
} from '../../domain/status-pages/status-incident-references.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { setNextUpdate } from '../../store/status-pages/incident-notes.ts'
import * as incidents from '../../store/status-pages/status-incidents.ts'
import { refuseSurplus } from '../refuse-surplus.ts'
import { notifyStatusIncident } from '../status-pages/notify-subscribers.ts'
import { publishStatusIncident } from './publish.ts'

type NewStatusIncident = Omit<Publication, 'uuid'> &
  References & { nextUpdateBy?: Date | undefined }

/** Publishes an incident, by default on all pages of the organization. */
export async function createStatusIncident(
  tx: TenantTx,
  sent: NewStatusIncident,
): Promise<StatusIncident> {
  // Pages, their components and published incidents depend on each other, so every change to them takes this lock.
  const { storage } = await lockUsage(tx)
  const all =
    sent.statusPageIds === undefined ? await defaultPages(tx) : { uuids: [], problems: [] }
  const blank = { pageUuids: all.uuids, components: [], incidentUuid: null }
  const known = await incidents.findReferences(tx, referencedUuids(sent, blank))
  const { named, problems } = resolveReferences(sent, blank, known)

  const change = publishIncident({ ...sent, uuid: tx.newUuid() }, named, tx.now)
  const next = nextUpdateProblems(sent.nextUpdateBy, change.after.status, tx.now)
  const wrong = [...all.problems, ...problems, ...change.problems, ...next]
  if (wrong.length > 0) throw validationError(wrong)
  await refuseSurplus(tx, storage, 'statusIncidents')
  if (change.update !== null) await refuseSurplus(tx, storage, 'statusIncidentUpdates')

  const news = { before: undefined, after: change.after, update: change.update }
  const noticeBytes = sent.notifySubscribers ? await notifyStatusIncident(tx, news) : 0
  const notifiedSubscribers = noticeBytes > 0
  const update = change.update && { ...change.update, notifiedSubscribers, uuid: tx.newUuid() }
  await incidents.insertStatusIncident(tx, change.after)
  if (update !== null) await incidents.insertUpdate(tx, change.after.uuid, update)
  if (sent.nextUpdateBy) await setNextUpdate(tx, change.after.uuid, sent.nextUpdateBy)

  const after = { ...change.after, updates: update === null ? [] : [update] }
  await publishStatusIncident(tx, { before: undefined, after, update, noticeBytes })
  return after
}

async function defaultPages(tx: TenantTx): Promise<{ uuids: string[]; problems: Problem[] }> {
  const uuids = await incidents.findAllPages(tx, MAX_STATUS_PAGES + 1)
  const path = 'statusPageIds'
  if (uuids.length === 0)
    return { uuids, problems: [{ path, message: 'is required: there is no status page yet' }] }
  if (uuids.length > MAX_STATUS_PAGES) {
    const message = `is required: there are more than ${MAX_STATUS_PAGES} status pages`
    return { uuids, problems: [{ path, message }] }
  }
  return { uuids, problems: [] }
}

import { nextUpdateProblems } from '../../domain/status-pages/next-update.ts'
import type { StatusIncident } from '../../domain/status-pages/status-incident.ts'
import { type Post, postUpdate } from '../../domain/status-pages/status-incident-change.ts'
import {
  type References,
  referencedUuids,
  resolveReferences,
} from '../../domain/status-pages/status-incident-references.ts'
import { validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { setNextUpdate } from '../../store/status-pages/incident-notes.ts'
import * as incidents from '../../store/status-pages/status-incidents.ts'
import { refuseSurplus } from '../refuse-surplus.ts'
import { notifyStatusIncident } from '../status-pages/notify-subscribers.ts'
import { publishStatusIncident } from './publish.ts'
import { refuseOneTooMany } from './update.ts'

type NewUpdate = Post & Pick<References, 'components'> & { nextUpdateBy?: Date | undefined }

/** Posts an update for visitors: a message and, optionally, a new status or new component states. */
export async function addStatusIncidentUpdate(
  tx: TenantTx,
  uuid: string,
  sent: NewUpdate,
): Promise<StatusIncident | undefined> {
  const { storage } = await lockUsage(tx)
  const before = await incidents.lockStatusIncident(tx, uuid)
  if (before === undefined) return undefined
  const named = { components: sent.components }
  const known = await incidents.findReferences(tx, referencedUuids(named, before))
  const { named: resolved, problems } = resolveReferences(named, before, known)

  const change = postUpdate(before, sent, resolved.components, tx.now)
  const next = nextUpdateProblems(sent.nextUpdateBy, change.after.status, tx.now)
  const wrong = [...problems, ...change.problems, ...next]
  if (wrong.length > 0) throw validationError(wrong)
  refuseOneTooMany(before)
  await refuseSurplus(tx, storage, 'statusIncidentUpdates')

  const news = { before, after: change.after, update: change.update }
  const noticeBytes = sent.notifySubscribers ? await notifyStatusIncident(tx, news) : 0
  const notifiedSubscribers = noticeBytes > 0
  const update = { ...change.update, notifiedSubscribers, uuid: tx.newUuid() }
  await incidents.updateStatusIncident(tx, { ...change.after, updatedAt: tx.now })
  await incidents.insertUpdate(tx, uuid, update)
  await setNextUpdate(tx, uuid, sent.nextUpdateBy ?? null)

  const after = await incidents.findStatusIncident(tx, uuid)
  if (after === undefined) throw new Error('The published incident was not saved')
  await publishStatusIncident(tx, { before, after, update, noticeBytes })
  return after
}

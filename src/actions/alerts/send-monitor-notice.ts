import type { Alert } from '../../domain/alerts/alert.ts'
import {
  LISTED,
  type NoticeStep,
  nextNoticeStep,
  toCheckedAgainNotice,
  toMonitorNotice,
} from '../../domain/alerts/owners/monitor-notice.ts'
import type { AlertContext } from '../../domain/alerts/text.ts'
import { lockAlerts } from '../../store/alerts/conditions.ts'
import {
  countNotices,
  type DueNotice,
  deleteEnded,
  findOwnerNotice,
  listDueMonitors,
  type StoredOwnerNotice,
  saveOwnerNotice,
  setNotified,
} from '../../store/alerts/monitor-notices.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { queueOwnerEmails } from './queue-owner-emails.ts'

type NoticeDeps = { database: Database; secrets: OrganizationSecrets; baseUrl: string }

/**
 * Emails an organization's owners about monitors that are not checked or fail from home, if it is time to. Queued emails
 * and the record of them are one commit.
 */
export function sendMonitorNotice(deps: NoticeDeps, due: DueNotice): Promise<void> {
  return deps.database.transaction(undefined, async (tx) => {
    if (!(await lockAlerts(tx, due.orgId))) return
    const hasRecovered = await deleteEnded(tx, due)
    const stored = await findOwnerNotice(tx, due)
    const last = stored && { ...stored, hasRecovered: stored.hasRecovered || hasRecovered }
    const counts = await countNotices(tx, due)

    const step = nextNoticeStep(due.kind, last, counts, tx.now)

    if (step === 'BEGIN' || step === 'MORE') return emailDue(tx, deps, due, { step, counts, last })
    if (last !== undefined) await endOrKeep(tx, deps, due, { step, last })
  })
}

async function endOrKeep(
  tx: Tx,
  deps: NoticeDeps,
  due: DueNotice,
  { step, last }: { step: NoticeStep; last: StoredOwnerNotice },
): Promise<void> {
  if (step === 'END') await queueEmail(tx, deps, due, (to) => toCheckedAgainNotice(last.thread, to))
  const isOpen = last.isOpen && step === 'WAIT'
  await saveOwnerNotice(tx, due, { ...last, isOpen, hasRecovered: isOpen && last.hasRecovered })
}

type Beginning = {
  step: 'BEGIN' | 'MORE'
  counts: { due: number; reasons: number }
  last: StoredOwnerNotice | undefined
}

/** Names the monitors that the owners do not know of yet. */
async function emailDue(
  tx: Tx,
  deps: NoticeDeps,
  due: DueNotice,
  { step, counts, last }: Beginning,
): Promise<void> {
  const monitors = await listDueMonitors(tx, due, LISTED)
  const open = step === 'MORE' ? last : undefined
  const thread = open?.thread ?? tx.newUuid()
  const { due: total, reasons } = counts
  const content = { kind: due.kind, step, thread, monitors, total, isOneReason: reasons === 1 }
  await queueEmail(tx, deps, due, (context) => toMonitorNotice(content, context))
  await setNotified(tx, due)
  const hasRecovered = open?.hasRecovered ?? false
  await saveOwnerNotice(tx, due, { thread, sentAt: tx.now, isOpen: true, hasRecovered })
}

async function queueEmail(
  tx: Tx,
  { secrets, baseUrl }: NoticeDeps,
  { orgId }: DueNotice,
  toAlert: (context: AlertContext) => Alert,
): Promise<void> {
  const organization = await findOrganizationName(tx, orgId)
  const owner = { orgId, cipher: await secrets.cipherOf(tx, orgId) }
  await queueOwnerEmails(tx, owner, (timezone) => [
    toAlert({ organization, baseUrl, timezone, at: tx.now }),
  ])
}

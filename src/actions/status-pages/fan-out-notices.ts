import { isStale } from '../../domain/status-pages/notice.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'
import {
  claimNotice,
  findNextSubscribers,
  type OpenNotice,
  saveNoticeProgress,
} from '../../store/status-pages/subscriber-notices.ts'

/** The content of a delivery to a subscriber. The email is rendered from it when it is sent. */
export type SubscriberEmail =
  | { kind: 'NOTICE'; noticeUuid: string; subscriberUuid: string }
  | { kind: 'CONFIRM' | 'REMIND'; subscriberUuid: string }

export type FanOutDeps = { database: Database; secrets: OrganizationSecrets }

/**
 * Queues the next `most` emails of one notice, together with its progress. After a crash, it continues after the last
 * one queued. Returns how many were queued, or undefined if there is nothing to do.
 */
export function fanOutNotices(
  { database, secrets }: FanOutDeps,
  most: number,
): Promise<number | undefined> {
  return database.transaction(undefined, async (tx) => {
    const notice = await claimNotice(tx)
    if (notice === undefined) return undefined
    const isOver = !notice.isTelling || isStale(notice.createdAt, tx.now)
    const subscribers = isOver ? [] : await findNextSubscribers(tx, notice, most)

    const emails = toEmails(notice, subscribers)
    const isCompleted = subscribers.length < most

    const cipher = await secrets.cipherOf(tx, notice.orgId)
    const receiver = { uuid: notice.pageUuid, channel: 'EMAIL' as const, event: null }
    await queueMessages(tx, { orgId: notice.orgId, cipher }, receiver, emails)
    const toldUntil = subscribers.at(-1)?.uuid
    await saveNoticeProgress(tx, notice.uuid, { toldUntil, told: emails.length, isCompleted })
    return emails.length
  })
}

function toEmails(
  { uuid }: OpenNotice,
  subscribers: readonly { uuid: string; isTold: boolean }[],
): SubscriberEmail[] {
  return subscribers
    .filter(({ isTold }) => isTold)
    .map((subscriber) => ({
      kind: 'NOTICE',
      noticeUuid: uuid,
      subscriberUuid: subscriber.uuid,
    }))
}

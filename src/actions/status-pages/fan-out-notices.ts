import { isStale } from '../../domain/status-pages/notice.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import type { Cipher, OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'
import {
  claimNotice,
  findNextSubscribers,
  type NextSubscriber,
  type OpenNotice,
  saveNoticeProgress,
} from '../../store/status-pages/subscriber-notices.ts'

/** The content of a delivery to a subscriber. What is sent is rendered from it at that time. */
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

    const told = subscribers.filter(({ isTold }) => isTold)
    const isCompleted = subscribers.length < most

    const owner = { orgId: notice.orgId, cipher: await secrets.cipherOf(tx, notice.orgId) }
    await queueAll(tx, owner, notice, told)
    const toldUntil = subscribers.at(-1)?.uuid
    await saveNoticeProgress(tx, notice.uuid, { toldUntil, told: told.length, isCompleted })
    return told.length
  })
}

/** Emails go through one relay, so a page is one receiver. Each other subscriber can fail on its own. */
async function queueAll(
  tx: Tx,
  owner: { orgId: string; cipher: Cipher },
  notice: OpenNotice,
  told: readonly NextSubscriber[],
): Promise<void> {
  const byEmail = told.filter(({ kind }) => kind === 'EMAIL')
  const page = { uuid: notice.pageUuid, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, owner, page, toMessages(notice, byEmail))
  for (const hook of told.filter(({ kind }) => kind !== 'EMAIL')) {
    const receiver = { uuid: hook.uuid, channel: 'SUBSCRIBER' as const, event: null }
    await queueMessages(tx, owner, receiver, toMessages(notice, [hook]))
  }
}

function toMessages(
  { uuid }: OpenNotice,
  told: readonly Pick<NextSubscriber, 'uuid'>[],
): SubscriberEmail[] {
  return told.map((subscriber) => ({
    kind: 'NOTICE',
    noticeUuid: uuid,
    subscriberUuid: subscriber.uuid,
  }))
}

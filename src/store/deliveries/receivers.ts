// Receivers other than webhook endpoints, and their messages. They share queues, attempts and circuit breakers with all
// other deliveries.
import type { ChannelName } from '../../domain/events/delivery.ts'
import { bringing, type Db, sql, type Tx } from '../core/db.ts'
import type { Cipher, OrganizationSecrets } from '../core/organization-secrets.ts'
import type { TenantTx } from '../core/tenants.ts'
import { cancelAllPending } from './queue.ts'

/** Channels whose receivers are stored in the receivers table itself. */
type PlainChannel = Exclude<ChannelName, 'WEBHOOK'>

const OPEN = sql`
  insert into receivers (id, org_id, channel) values ($2, $1, $3) on conflict (id) do nothing`
// Held until the commit: a concurrent deletion waits, and then cancels what is queued here too.
const HOLD = sql`select 1 as one from receivers where org_id = $1 and id = $2 for key share`
const INSERT = bringing(
  'DELIVERIES',
  sql`
  insert into deliveries
    (id, org_id, endpoint_id, channel, event_id, event_type, message, next_attempt_at, created_at, traceparent)
  select m.id, $1, $2, $3, $4, $5, m.message, now(), now(), $8
    from unnest($6::uuid[], $7::bytea[]) as m (id, message)`,
)

/** A receiver, and the event that its messages are about, if any. */
type Receiver = {
  uuid: string
  channel: PlainChannel
  event: { uuid: string; type: string } | null
  /** The trace context that the deliveries belong to. */
  traceparent?: string | null
}

/**
 * Queues one delivery per message, in the transaction of the change that it reports. Creates the receiver on first use.
 * A message is what its channel sends, as JSON; it is stored encrypted.
 */
export async function queueMessages(
  tx: Pick<Tx, 'query' | 'newUuid'>,
  owner: { orgId: string; cipher: Cipher },
  receiver: Receiver,
  messages: readonly object[],
): Promise<string[]> {
  if (messages.length === 0) return []
  const { uuid, channel, event, traceparent = null } = receiver
  await tx.query(OPEN, [owner.orgId, uuid, channel])
  const held = await tx.query(HOLD, [owner.orgId, uuid])
  if (held.length === 0) throw new Error(`Receiver ${uuid} is not this organization's`)
  const ids = messages.map(() => tx.newUuid())
  const sealed = messages.map((message, index) =>
    owner.cipher.seal(messageLocation(ids[index] ?? ''), JSON.stringify(message)),
  )
  const values = [owner.orgId, uuid, channel, event?.uuid ?? null, event?.type ?? null]
  await tx.query(INSERT, [...values, ids, sealed, traceparent])
  return ids
}

const LOCK = sql`select 1 as one from receivers where org_id = $1 and id = $2 for update`
const DELETE = sql`delete from receivers where org_id = $1 and id = $2`

/** Call it when the receiver's owner is deleted. Cancels pending deliveries. */
export async function deleteReceiver(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(LOCK, [tx.orgId, uuid])
  await cancelAllPending(tx, uuid)
  await tx.query(DELETE, [tx.orgId, uuid])
}

/** Decrypts a delivery's message. */
export async function decryptMessage<Message>(
  db: Db,
  secrets: OrganizationSecrets,
  delivery: { orgId: string; deliveryId: string; message: Buffer },
): Promise<Message> {
  const cipher = await secrets.cipherOf(db, delivery.orgId)
  // Safe because only queueMessages writes it, for the same channel.
  return JSON.parse(
    cipher.unseal(messageLocation(delivery.deliveryId), delivery.message),
  ) as Message
}

const messageLocation = (uuid: string) => ({ table: 'deliveries', row: uuid, column: 'message' })

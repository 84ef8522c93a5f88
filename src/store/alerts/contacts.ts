import type { ContactChannel } from '../../domain/alerts/channels.ts'
import type { AlertContact, ContactSettings } from '../../domain/alerts/contact.ts'
import type { AlertRules } from '../../domain/alerts/model.ts'
import { type Db, type Statement, sql } from '../core/db.ts'
import type { Cipher, OrganizationSecrets } from '../core/organization-secrets.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'
import { canReceive, isConfirmed } from './contact-reach.ts'

const columns = sql`
  c.id as uuid, c.name, c.channel, c.settings, c.enabled, c.states, c.delay_minutes as "delayMinutes",
  c.reminder_minutes as "reminderMinutes", c.quiet_from as "quietFrom", c.quiet_to as "quietTo",
  c.quiet_zone as "quietZone", c.created_at as "createdAt", c.updated_at as "updatedAt",
  (select count(*)::integer from monitor_alert_contacts a where a.org_id = c.org_id and a.contact_id = c.id)
    as monitors,
  r.last_success_at as "lastSuccessAt", r.last_failure_at as "lastFailureAt", r.failing_since as "failingSince",
  coalesce(r.disabled_reason is not null, false) as "isGivenUp",
  ${isConfirmed} as "isConfirmed", c.confirmed_at as "confirmedAt", c.confirm_sent_at as "confirmSentAt",
  case when c.owner_id is not null then
    (select count(*)::integer from push_devices p where p.org_id = c.org_id and p.contact_id = c.id) end as devices`
const from = sql`alert_contacts c left join receivers r on r.org_id = c.org_id and r.id = c.id`

type RuleColumns = Pick<AlertRules, 'states' | 'delayMinutes' | 'reminderMinutes'> & {
  quietFrom: string | null
  quietTo: string | null
  quietZone: string | null
}
type Row = Omit<AlertContact, 'settings' | 'rules'> & RuleColumns & { settings: Buffer }

function toContact(row: Row, cipher: Cipher): AlertContact {
  const { uuid, name, channel, enabled, createdAt, updatedAt, monitors } = row
  const { lastSuccessAt, lastFailureAt, failingSince, isGivenUp } = row
  const { isConfirmed, confirmedAt, confirmSentAt, devices } = row
  return {
    uuid,
    name,
    channel,
    settings: unseal(cipher, uuid, row.settings),
    enabled,
    rules: toRules(row),
    createdAt,
    updatedAt,
    monitors,
    lastSuccessAt,
    lastFailureAt,
    failingSince,
    isGivenUp,
    isConfirmed,
    confirmedAt,
    confirmSentAt,
    devices,
  }
}

function toRules(row: RuleColumns): AlertRules {
  const { states, delayMinutes, reminderMinutes, quietFrom, quietTo, quietZone } = row
  const isQuiet = quietFrom !== null && quietTo !== null && quietZone !== null
  const quiet = isQuiet ? { from: quietFrom, to: quietTo, zone: quietZone } : null
  return { states, delayMinutes, reminderMinutes, quiet }
}

const settingsLocation = (uuid: string) => ({
  table: 'alert_contacts',
  row: uuid,
  column: 'settings',
})

function unseal(cipher: Cipher, uuid: string, settings: Buffer): ContactSettings {
  // Safe because only this file writes it.
  return JSON.parse(cipher.unseal(settingsLocation(uuid), settings)) as ContactSettings
}

const LIST = sql`
  select ${columns} from ${from} where c.org_id = $1 order by c.created_at desc, c.id desc limit $2`
const FIND = sql`select ${columns} from ${from} where c.org_id = $1 and c.id = $2`
const LOCK = sql`
  select 1 as one from alert_contacts where org_id = $1 and id = $2 for no key update`
const LOCK_TO_DELETE = sql`
  select 1 as one from alert_contacts where org_id = $1 and id = $2 for update`

/** Limit per organization: every outage may alert all of them. */
export const MAX_CONTACTS = 200

export async function listContacts(tenant: Tenant): Promise<AlertContact[]> {
  const rows = await tenant.query<Row>(LIST, [tenant.orgId, MAX_CONTACTS])
  const cipher = await tenant.cipher()
  return rows.map((row) => toContact(row, cipher))
}

export async function findContact(tenant: Tenant, uuid: string): Promise<AlertContact | undefined> {
  const [row] = await tenant.query<Row>(FIND, [tenant.orgId, uuid])
  return row && toContact(row, await tenant.cipher())
}

/** Holds the lock until the transaction ends. */
export async function lockContact(tx: TenantTx, uuid: string): Promise<AlertContact | undefined> {
  return (await isLocked(tx, LOCK, uuid)) ? findContact(tx, uuid) : undefined
}

export const lockContactToDelete = (tx: TenantTx, uuid: string): Promise<boolean> =>
  isLocked(tx, LOCK_TO_DELETE, uuid)

async function isLocked(tx: TenantTx, statement: Statement, uuid: string): Promise<boolean> {
  return (await tx.query(statement, [tx.orgId, uuid])).length > 0
}

export type ContactInput = {
  name: string
  channel: ContactChannel
  settings: ContactSettings
  enabled: boolean
  rules: AlertRules
  /** The member it belongs to, for personal channels. */
  ownerUuid?: string
}

const COUNT = sql`select count(*)::integer as count from alert_contacts where org_id = $1`
const INSERT = sql`
  insert into alert_contacts (org_id, id, name, settings, enabled, states, delay_minutes, reminder_minutes,
                              quiet_from, quiet_to, quiet_zone, updated_at, created_at, channel, owner_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14)`
const UPDATE = sql`
  update alert_contacts
     set name = $3, settings = $4, enabled = $5, states = $6, delay_minutes = $7, reminder_minutes = $8,
         quiet_from = $9, quiet_to = $10, quiet_zone = $11, updated_at = $12
   where org_id = $1 and id = $2`
const MOVE = sql`
  update alert_contacts set channel = $3, settings = $4, updated_at = $5 where org_id = $1 and id = $2`
const DELETE = sql`delete from alert_contacts where org_id = $1 and id = $2`

export async function countContacts(tx: TenantTx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT, [tx.orgId])
  return row?.count ?? 0
}

export async function insertContact(
  tx: TenantTx,
  uuid: string,
  input: ContactInput,
): Promise<void> {
  const { channel, ownerUuid = null } = input
  await tx.query(INSERT, [...(await valuesOf(tx, uuid, input)), channel, ownerUuid])
}

/** Updates everything except the channel, which changes only by a move. */
export async function updateContact(
  tx: TenantTx,
  uuid: string,
  input: ContactInput,
): Promise<void> {
  await tx.query(UPDATE, await valuesOf(tx, uuid, input))
}

/** To the channel that replaces its own. */
export async function moveContact(
  tx: TenantTx,
  uuid: string,
  { channel, settings }: Pick<ContactInput, 'channel' | 'settings'>,
): Promise<void> {
  const sealed = (await tx.cipher()).seal(settingsLocation(uuid), JSON.stringify(settings))
  await tx.query(MOVE, [tx.orgId, uuid, channel, sealed, tx.now])
}

async function valuesOf(tx: TenantTx, uuid: string, input: ContactInput): Promise<unknown[]> {
  const { name, settings, enabled, rules } = input
  const { states, delayMinutes, reminderMinutes, quiet } = rules
  const sealed = (await tx.cipher()).seal(settingsLocation(uuid), JSON.stringify(settings))
  const times = [quiet?.from ?? null, quiet?.to ?? null, quiet?.zone ?? null]
  const own = [name, sealed, enabled, states, delayMinutes, reminderMinutes]
  return [tx.orgId, uuid, ...own, ...times, tx.now]
}

export async function deleteContact(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(DELETE, [tx.orgId, uuid])
}

const RESET_FAILURES = sql`
  update receivers set enabled = true, disabled_reason = null, failures_in_a_row = 0, failing_since = null,
                       next_probe_at = null, probe_seconds = null, warned_at = null
   where org_id = $1 and id = $2`

const CLEAR_NOTIFIED = sql`
  update alert_contacts set owners_told_at = null, owners_told_of = null
   where org_id = $1 and id = $2 and owners_told_at is not null`

/** Clears past failures: the contact was changed or is being tested. */
export async function resetContactFailures(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(RESET_FAILURES, [tx.orgId, uuid])
  await tx.query(CLEAR_NOTIFIED, [tx.orgId, uuid])
}

const SET_CONFIRMED = sql`
  update alert_contacts
     set confirmed_at = now(), confirm_token_hash = null, confirm_expires_at = null, confirm_sent_at = null
   where org_id = $1 and id = $2`
const SET_WAITING = sql`
  update alert_contacts
     set confirmed_at = null, confirm_token_hash = $3, confirm_expires_at = $4,
         confirm_sent_at = case when $3::bytea is not null then now() end
   where org_id = $1 and id = $2`
const IS_WAITING = sql`
  select 1 as one from alert_contacts
   where org_id = $1 and id = $2 and confirm_token_hash = $3 and confirm_expires_at > now()`
const CONFIRM_BY_TOKEN = sql`
  update alert_contacts
     set confirmed_at = now(), confirm_token_hash = null, confirm_expires_at = null
   where org_id = $1 and id = $2 and confirm_token_hash = $3 and confirm_expires_at > now()
  returning id`

export async function setConfirmed(tx: TenantTx, uuid: string): Promise<void> {
  await tx.query(SET_CONFIRMED, [tx.orgId, uuid])
}

/** Null if no email could be sent. */
export async function setWaiting(
  tx: TenantTx,
  uuid: string,
  link: { tokenHash: Buffer; expiresAt: Date } | null,
): Promise<void> {
  await tx.query(SET_WAITING, [tx.orgId, uuid, link?.tokenHash ?? null, link?.expiresAt ?? null])
}

/** True if the hash belongs to the latest link and the link has not expired. */
export async function isWaiting(tenant: Tenant, uuid: string, hash: Buffer): Promise<boolean> {
  return (await tenant.query(IS_WAITING, [tenant.orgId, uuid, hash])).length > 0
}

/** The link works once. */
export async function confirmByToken(tx: TenantTx, uuid: string, hash: Buffer): Promise<boolean> {
  return (await tx.query(CONFIRM_BY_TOKEN, [tx.orgId, uuid, hash])).length > 0
}

// Held until the commit: a concurrent deletion waits, and then also cancels what is queued.
const FIND_CONTACTS_TO_ALERT = sql`
  select c.id as uuid, c.name, c.channel, c.settings, ${canReceive} as enabled, c.states, c.delay_minutes as "delayMinutes",
         c.reminder_minutes as "reminderMinutes", c.quiet_from as "quietFrom", c.quiet_to as "quietTo",
         c.quiet_zone as "quietZone"
    from alert_contacts c where c.org_id = $1 order by c.id for key share`

/** A contact as the planner needs it. One that cannot receive anything counts as disabled. */
export type StoredContact = Pick<
  AlertContact,
  'uuid' | 'name' | 'channel' | 'enabled' | 'rules'
> & {
  sealed: Buffer
}

export async function findContactsToAlert(tx: Db, orgId: string): Promise<StoredContact[]> {
  type Found = Omit<StoredContact, 'rules' | 'sealed'> & RuleColumns & { settings: Buffer }
  const rows = await tx.query<Found>(FIND_CONTACTS_TO_ALERT, [orgId])
  return rows.map((row) => {
    const { uuid, name, channel, enabled, settings } = row
    return { uuid, name, channel, enabled, rules: toRules(row), sealed: settings }
  })
}

export const settingsOf = (cipher: Cipher, { uuid, sealed }: StoredContact): ContactSettings =>
  unseal(cipher, uuid, sealed)

const FIND_TARGETS = sql`
  select c.id as uuid, c.org_id as "orgId", c.channel, c.settings, o.private_targets as "privateTargets"
    from alert_contacts c join organizations o on o.id = c.org_id
   where c.id = any ($1::uuid[])`

export type ContactTarget = {
  channel: ContactChannel
  settings: ContactSettings
  privateTargets: boolean
}

/** For the dispatcher: where contacts are reached now, by id, of any organization. */
export async function findContactTargets(
  db: Db,
  secrets: OrganizationSecrets,
  uuids: readonly string[],
): Promise<Map<string, ContactTarget>> {
  type Found = Omit<ContactTarget, 'settings'> & { uuid: string; orgId: string; settings: Buffer }
  const targets = new Map<string, ContactTarget>()
  for (const { uuid, orgId, settings, ...target } of await db.query<Found>(FIND_TARGETS, [uuids])) {
    const cipher = await secrets.cipherOf(db, orgId)
    targets.set(uuid, { ...target, settings: unseal(cipher, uuid, settings) })
  }
  return targets
}

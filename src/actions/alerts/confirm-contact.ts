import type { AlertContact } from '../../domain/alerts/contact.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { comparable, parseEmailAddress } from '../../domain/values/email-address.ts'
import { readUuid, toUuidBytes, UUID_BYTES } from '../../domain/values/uuid-bytes.ts'
import { ApiError } from '../../platform/api-error.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import * as contacts from '../../store/alerts/contacts.ts'
import type { Tenant, TenantTx } from '../../store/core/tenants.ts'
import { isMember } from '../../store/people/members.ts'
import { findSettings } from '../../store/people/organization-settings.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { queueAccountEmail } from '../people/queue-account-email.ts'
import { limitEmailTo } from './limit-email.ts'

const LINK_DAYS = 7

export type EmailOptions = { baseUrl: string; canMail: boolean }

/**
 * Confirms a member's address right away and emails any other for consent. Without an SMTP relay the contact stays
 * unconfirmed: no alert could reach it anyway, and the email can be sent again later.
 */
export async function requestConfirmation(
  tx: TenantTx,
  { uuid, address }: { uuid: string; address: string },
  { baseUrl, canMail }: EmailOptions,
): Promise<void> {
  const to = parseEmailAddress(address) ?? address
  if (await isMember(tx, comparable(to))) return contacts.setConfirmed(tx, uuid)
  if (!canMail) return contacts.setWaiting(tx, uuid, null)
  await limitEmailTo(tx, 'CONFIRM_CONTACT', to)
  const token = toLinkToken(tx.orgId, uuid)
  const expiresAt = new Date(tx.now.getTime() + LINK_DAYS * 86_400_000)
  await contacts.setWaiting(tx, uuid, { tokenHash: hashToken(token), expiresAt })
  const { name: organization, timezone } = await findSettings(tx)
  const link = `${baseUrl}${PATHS.confirmContact}#${token}`
  const endsAt = expiresAt.toISOString()
  const mail = { to, organization, link, endsAt, timezone: timezone ?? 'UTC' }
  await queueAccountEmail(tx, { kind: 'CONFIRM_CONTACT', ...mail })
}

/** Sends the email again and invalidates the previous link. Undefined if the contact does not exist. */
export async function resendConfirmation(
  tx: TenantTx,
  uuid: string,
  options: EmailOptions,
): Promise<AlertContact | undefined> {
  const contact = await contacts.lockContact(tx, uuid)
  if (contact === undefined) return undefined
  if (contact.isConfirmed) throw new ApiError('conflict', 'This contact is confirmed already.')
  if (!options.canMail)
    throw new ApiError('conflict', 'No email can be sent: set SMTP_URL and SMTP_FROM first.')
  await requestConfirmation(tx, { uuid, address: contact.settings['address'] ?? '' }, options)
  return contacts.findContact(tx, uuid)
}

export type OpenConfirmation = { organization: string; address: string }

/** What a link asks its reader to confirm, while the link is valid. */
export async function readConfirmation(
  tenant: Tenant,
  uuid: string,
  token: string,
): Promise<OpenConfirmation | undefined> {
  if (!(await contacts.isWaiting(tenant, uuid, hashToken(token)))) return undefined
  const contact = await contacts.findContact(tenant, uuid)
  if (contact === undefined) return undefined
  const organization = await findOrganizationName(tenant, tenant.orgId)
  return { organization, address: contact.settings['address'] ?? '' }
}

/** Works once. Undefined if the link is invalid or has expired. */
export async function confirmContact(
  tx: TenantTx,
  uuid: string,
  token: string,
): Promise<OpenConfirmation | undefined> {
  const open = await readConfirmation(tx, uuid, token)
  return open && (await contacts.confirmByToken(tx, uuid, hashToken(token))) ? open : undefined
}

// The token contains the ids, because a visitor without a session has no organization to search in.
const TOKEN_BYTES = 2 * UUID_BYTES + 32

function toLinkToken(orgId: string, uuid: string): string {
  const ids = [toUuidBytes(orgId), toUuidBytes(uuid)]
  return Buffer.concat([...ids, Buffer.from(newToken(), 'base64url')]).toString('base64url')
}

/** The contact that a link refers to. Only the hash of the whole token proves these ids. */
export function readLinkToken(token: string): { orgId: string; uuid: string } | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== TOKEN_BYTES) return undefined
  return { orgId: readUuid(bytes, 0), uuid: readUuid(bytes, UUID_BYTES) }
}

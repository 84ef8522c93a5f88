// The link in an alert that acknowledges its incident without signing in. It belongs to one incident and one contact,
// and ends after a day or with the incident. For some weeks it still shows what became of the incident.
import { readUuid, toUuidBytes, UUID_BYTES } from '../values/uuid-bytes.ts'

export type AcknowledgeLink = {
  orgId: string
  incidentUuid: string
  contactUuid: string
  expiresAt: Date
}

const DAY_MS = 24 * 3_600_000
const LINK_MS = DAY_MS
const SHOWN_MS = 30 * DAY_MS
const TIME_BYTES = 6
const IDS_BYTES = 3 * UUID_BYTES + TIME_BYTES

export const linkExpiry = (now: Date): Date => new Date(now.getTime() + LINK_MS)

/** What a proven link is still good for. Undefined if nothing: a message found years later says nothing new. */
export function linkUse(
  { expiresAt }: Pick<AcknowledgeLink, 'expiresAt'>,
  { resolvedAt }: { resolvedAt: Date | null },
  now: Date,
): 'ACKNOWLEDGE' | 'READ' | undefined {
  if (expiresAt > now && resolvedAt === null) return 'ACKNOWLEDGE'
  return expiresAt.getTime() + SHOWN_MS > now.getTime() ? 'READ' : undefined
}

/** Nothing is stored there: the link is proven by something sealed for this location, and no other. */
export function linkLocation({ incidentUuid, contactUuid, expiresAt }: AcknowledgeLink) {
  const row = `${incidentUuid} ${contactUuid} ${expiresAt.getTime()}`
  return { table: 'incidents', row, column: 'acknowledge link' }
}

export function toAcknowledgeToken(link: AcknowledgeLink, proof: Buffer): string {
  const { orgId, incidentUuid, contactUuid, expiresAt } = link
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(expiresAt.getTime(), 0, TIME_BYTES)
  const ids = [orgId, incidentUuid, contactUuid].map(toUuidBytes)
  return Buffer.concat([...ids, time, proof]).toString('base64url')
}

/** What a token says. Only its proof shows that it is true. */
export function readAcknowledgeToken(
  token: string,
): { link: AcknowledgeLink; proof: Buffer } | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= IDS_BYTES) return undefined
  const link = {
    orgId: readUuid(bytes, 0),
    incidentUuid: readUuid(bytes, UUID_BYTES),
    contactUuid: readUuid(bytes, 2 * UUID_BYTES),
    expiresAt: new Date(bytes.readUIntBE(3 * UUID_BYTES, TIME_BYTES)),
  }
  return { link, proof: bytes.subarray(IDS_BYTES) }
}

import {
  type AcknowledgeLink,
  linkLocation,
  toAcknowledgeToken,
} from '../../domain/alerts/acknowledge-link.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import type { Cipher } from '../../store/core/organization-secrets.ts'

/** The token is after the #, which never reaches a server or its logs. */
export function acknowledgeUrl(cipher: Cipher, baseUrl: string, link: AcknowledgeLink): string {
  const proof = cipher.seal(linkLocation(link), '')
  return `${baseUrl}${PATHS.acknowledge}#${toAcknowledgeToken(link, proof)}`
}

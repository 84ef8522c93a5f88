import {
  type AuthoritySeeds,
  type Revoked,
  serverConfigText,
  serviceCredentials,
} from '../../bus/authority.ts'

/** The file that the NATS server includes, and the credentials of the service. */
export function natsFiles(
  seeds: AuthoritySeeds,
  revoked: Revoked,
  now: Date,
): { server: string; service: string } {
  return {
    server: serverConfigText(seeds, revoked, now),
    service: serviceCredentials(seeds, now),
  }
}

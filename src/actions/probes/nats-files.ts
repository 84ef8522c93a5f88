import {
  type AuthoritySeeds,
  type Revoked,
  serverConfigText,
  serviceCredentials,
} from '../../bus/authority.ts'

/** What the NATS server includes, and what the service signs in with. */
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

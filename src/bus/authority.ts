// Issues the permissions on the NATS server. The server knows the operator and the accounts from its configuration;
// users are signed here, so a probe can join without changing the server.
import {
  accountJwt,
  credentialsText,
  newSeed,
  operatorJwt,
  publicKeyOf,
  userJwt,
} from './nats-jwt.ts'
import { MAX_JOIN_BYTES } from './probe-token.ts'
import { PROBES_QUEUE } from './subjects.ts'

/** Private keys for signing: their holder decides who may sign in. */
export type AuthoritySeeds = { operator: string; system: string; account: string }
export type Revoked = ReadonlyMap<string, Date>

const SERVICE_USER = 'upvane'
// A packet has at most 100 jobs, so one acceptance and its results are at most 101 messages.
const MAX_RESPONSES = 101
const RESPONSE_SECONDS = 300
const PUSH_SECONDS = 60
// The response arrives in one inbox. One more, which nobody needs: whenever claims change, the server disconnects users who
// have as many subscriptions as they may.
const JOINING_LIMITS = { subs: 2, payload: MAX_JOIN_BYTES }

export function newAuthority(): AuthoritySeeds {
  return { operator: newSeed('operator'), system: newSeed('account'), account: newSeed('account') }
}

export function currentAccountJwt(seeds: AuthoritySeeds, revoked: Revoked, now: Date): string {
  const claims = { name: 'upvane', publicKey: publicKeyOf(seeds.account), revoked }
  return accountJwt(seeds.operator, claims, now)
}

/** Contains no secrets, only public keys and signed claims. */
export function serverConfigText(seeds: AuthoritySeeds, revoked: Revoked, now: Date): string {
  const system = publicKeyOf(seeds.system)
  const account = publicKeyOf(seeds.account)
  return `# Written by upvane nats setup. Who may sign in to this NATS server; it holds no secret.
operator: ${operatorJwt(seeds.operator, system, now)}
system_account: ${system}
resolver_preload: {
  ${system}: ${accountJwt(seeds.operator, { name: 'system', publicKey: system }, now)}
  ${account}: ${currentAccountJwt(seeds, revoked, now)}
}
`
}

/** For the api, scheduler, dispatcher and janitor, and for `start`, whose probe other schedulers may use. */
export function serviceCredentials(seeds: AuthoritySeeds, now: Date): string {
  const seed = newSeed('user')
  const permissions = {
    publish: [
      'upvane.jobs.*',
      'upvane.probes.*.*',
      'upvane.requests.>',
      'upvane.hints.>',
      'upvane.inbox.>',
    ],
    subscribe: [
      `upvane.jobs.* ${PROBES_QUEUE}`,
      'upvane.probes.*.*',
      'upvane.requests.>',
      'upvane.hints.>',
      `upvane.inbox.${SERVICE_USER}.>`,
    ],
  }
  const claims = { name: SERVICE_USER, publicKey: publicKeyOf(seed), permissions }
  return credentialsText(userJwt(seeds.account, claims, now), seed)
}

export type JoinedProbe = { region: string; name: string; publicKey: string }

/** Permits jobs of its region in the shared queue, its own announcements, and its inbox; nothing else. */
export function probeJwt(seeds: AuthoritySeeds, probe: JoinedProbe, now: Date): string {
  const { region, name, publicKey } = probe
  const permissions = {
    publish: [`upvane.probes.${region}.${name}`],
    subscribe: [`upvane.jobs.${region} probes`, `upvane.inbox.${name}.>`],
    responses: { max: MAX_RESPONSES, seconds: RESPONSE_SECONDS },
  }
  return userJwt(seeds.account, { name, publicKey, permissions }, now)
}

type Joining = { id: string; publicKey: string; expiresAt: Date }

/** Permits requests to join under its own name, and nothing else. */
export function joiningJwt(seeds: AuthoritySeeds, joining: Joining, now: Date): string {
  const { id, publicKey, expiresAt } = joining
  const name = `join-${id}`
  const permissions = {
    publish: [`upvane.requests.join.${id}`],
    subscribe: [`upvane.inbox.${name}.>`],
  }
  const limits = JOINING_LIMITS
  return userJwt(seeds.account, { name, publicKey, permissions, limits, expiresAt }, now)
}

/** Permits replacing the claims of accounts, for one minute. */
export function pushingIdentity(seeds: AuthoritySeeds, now: Date): { jwt: string; seed: string } {
  const seed = newSeed('user')
  const permissions = { publish: ['$SYS.REQ.CLAIMS.UPDATE'], subscribe: ['_INBOX.>'] }
  const expiresAt = new Date(now.getTime() + PUSH_SECONDS * 1000)
  const claims = { name: 'push', publicKey: publicKeyOf(seed), permissions, expiresAt }
  return { jwt: userJwt(seeds.system, claims, now), seed }
}

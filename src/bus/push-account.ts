// Sends the account's latest claims to the NATS server, which immediately disconnects revoked probes.
import {
  type AuthoritySeeds,
  currentAccountJwt,
  pushingIdentity,
  type Revoked,
} from './authority.ts'
import { readObject } from './messages.ts'
import { dial } from './nats-connect.ts'
import { type NatsOptions, readNatsOptions } from './nats-options.ts'

const TIMEOUT_MS = 5000
const SUBJECT = '$SYS.REQ.CLAIMS.UPDATE'

export async function pushAccount(
  { url, caFile }: Pick<NatsOptions, 'url' | 'caFile'>,
  seeds: AuthoritySeeds,
  revoked: Revoked,
  now: Date,
): Promise<void> {
  const identity = { name: 'push', ...pushingIdentity(seeds, now) }
  const options = { url, identity, ...(caFile === undefined ? {} : { caFile }) }
  const raw = await dial(readNatsOptions(options), { timeout: TIMEOUT_MS, reconnect: false })
  try {
    const jwt = currentAccountJwt(seeds, revoked, now)
    const response = await raw.request(SUBJECT, jwt, { timeout: TIMEOUT_MS })
    const data = readObject(response.string())?.['data'] as { code?: unknown } | undefined
    if (data?.code !== 200) throw new Error('NATS did not take the new claims of the account.')
  } finally {
    await raw.close()
  }
}

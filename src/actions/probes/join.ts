// A probe presents its token and gets the claims for its own key. If two present the same token at once, one joins.
import { type AuthoritySeeds, type JoinedProbe, probeJwt } from '../../bus/authority.ts'
import { type JoinRequest, readJoinRequest } from '../../bus/probe-token.ts'
import { addressesOf } from '../../domain/operating/private-targets.ts'
import { ApiError } from '../../platform/api-error.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import { appendOperatorLine } from '../../store/core/operator-log.ts'
import { findPrivateAddresses } from '../../store/operating/private-addresses.ts'
import {
  findProbeByKey,
  insertJoinedProbe,
  isUsableToken,
  nextProbeName,
  useToken,
} from '../../store/operating/probes.ts'

const REFUSED =
  'This token is unknown, expired or already used. Create a new one with upvane region add.'

/** `privateAddresses`: those that monitors of its region have, which it should be permitted to reach. */
type Joined = { region: string; name: string; jwt: string; privateAddresses: string[] }
const MAX_ADDRESSES = 100

/** `sender` is the id of the token that NATS knows, if it does. A refusal costs one statement. */
export async function joinProbe(
  database: Database,
  findSeeds: () => Promise<AuthoritySeeds>,
  body: unknown,
  sender = '',
): Promise<Joined> {
  const request = readJoinRequest(body)
  const isOwn = sender === '' || request?.id === sender
  if (request === undefined || !isOwn) throw refusal(REFUSED)
  if (!(await isUsableToken(database, presented(request)))) throw refusal(REFUSED)
  const seeds = await findSeeds()
  return database.transaction(undefined, async (tx) => {
    const probe = await admit(tx, request)
    const { region, name } = probe
    const needed = addressesOf(region, await findPrivateAddresses(tx)).slice(0, MAX_ADDRESSES)
    return { region, name, jwt: probeJwt(seeds, probe, tx.now), privateAddresses: needed }
  })
}

const presented = ({ id, secret, publicKey }: JoinRequest) => ({
  id,
  hash: hashToken(secret),
  publicKey,
})

async function admit(tx: Tx, request: JoinRequest): Promise<JoinedProbe> {
  const { id, publicKey } = request
  const token = await useToken(tx, presented(request))
  if (token === undefined) throw refusal(REFUSED)
  const known = await findProbeByKey(tx, publicKey)
  if (known?.isRevoked) throw refusal('This probe was revoked.')
  if (known !== undefined) return { region: known.region, name: known.name, publicKey }
  const { region } = token
  const name = token.name ?? (await nextProbeName(tx, region))
  if (!(await insertJoinedProbe(tx, { region, name, publicKey })))
    throw refusal(`There is already a probe named ${name}.`)
  const detail = { region, probe: name, token: id }
  await appendOperatorLine(tx, { operator: 'probe', action: 'probe join', detail })
  return { region, name, publicKey }
}

const refusal = (message: string) => new ApiError('forbidden', message)

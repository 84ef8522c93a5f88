import { randomBytes } from 'node:crypto'
import {
  CHALLENGE_RANDOM_BYTES,
  type ChallengeUse,
  challengeIn,
  checkChallenge,
  makeChallenge,
} from '../../domain/people/passkey-challenge.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import type { Db } from '../../store/core/db.ts'
import type { AnsweredChallenge } from '../../store/people/passkeys.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'

type Deps = { people: Db; secrets: PeopleSecrets }

const keyOf = ({ people, secrets }: Deps): Promise<Buffer> =>
  secrets.macKey(people, 'passkey challenges')

export async function newChallenge(deps: Deps, use: ChallengeUse): Promise<string> {
  const random = randomBytes(CHALLENGE_RANDOM_BYTES)
  return makeChallenge(await keyOf(deps), use, { random, now: new Date() })
}

/** Undefined if what was answered is not a challenge of ours for this use, or it has expired. */
export async function readChallenge(
  deps: Deps,
  use: ChallengeUse,
  clientDataJSON: string,
): Promise<(AnsweredChallenge & { challenge: string }) | undefined> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  const expiresAt = checkChallenge(await keyOf(deps), use, { challenge, now: new Date() })
  return expiresAt && { challenge, hash: hashToken(challenge), expiresAt }
}

// `upvane person …`: people who can sign in, and how the operator helps them in or locks them out.

import { dropSecondFactor } from '../../actions/people/change-second-factor.ts'
import { invite } from '../../actions/people/invite.ts'
import { createResetLink } from '../../actions/people/reset-password.ts'
import { ROLES } from '../../domain/people/role.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { comparable, parseEmailAddress } from '../../domain/values/email-address.ts'
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import { deleteOtherSessions } from '../../store/people/sessions.ts'
import { findAnyUser, listUsers, setDisabled } from '../../store/people/users.ts'
import { recordCommand, recordForOrganization } from '../cli/audit.ts'
import { chosen, type Flags, required, UsageError } from '../cli/flags.ts'

const MAX_LISTED = 1000

export async function listPeople(people: Database) {
  const found = await listUsers(people, MAX_LISTED)
  return found.map(({ uuid, createdAt, disabledAt, organizations, ...rest }) => ({
    id: toPublicId('usr', uuid),
    ...rest,
    organizations: organizations.map(({ orgId, ...membership }) => ({
      id: toPublicId('org', orgId),
      ...membership,
    })),
    disabledAt,
    createdAt,
  }))
}

/** For people who cannot receive email. */
export async function createPersonResetLink(people: Database, flags: Flags, baseUrl: string) {
  return forPerson(people, flags, async (tx, { uuid, email, disabledAt }) => {
    if (disabledAt !== null) throw new UsageError('This account is disabled. Enable it first.')
    const { token, expiresAt } = await createResetLink(tx, uuid)
    await recordCommand(tx, { action: 'person reset-link', personId: uuid })
    const link = `${baseUrl}${PATHS.resetPassword}#${token}`
    return { email, link, expiresAt }
  })
}

/** Takes effect with the next request. */
export async function switchPerson(people: Database, flags: Flags, how: 'disable' | 'enable') {
  return forPerson(people, flags, async (tx, { uuid, email }) => {
    await setDisabled(tx, uuid, how === 'disable')
    if (how === 'disable') await deleteOtherSessions(tx, uuid, null)
    await recordCommand(tx, { action: `person ${how}`, personId: uuid })
    return { email, done: how }
  })
}

/** For people who lost their authenticator or passkeys, and their recovery codes. */
export async function removePersonSecondFactor(people: Database, flags: Flags) {
  return forPerson(people, flags, async (tx, { uuid, email }) => {
    await dropSecondFactor(tx, uuid)
    await deleteOtherSessions(tx, uuid, null)
    await recordCommand(tx, { action: 'person remove-second-factor', personId: uuid })
    return { email, done: 'remove-second-factor' }
  })
}

/** Also into an organization that has no members yet. */
export async function invitePerson(people: Database, flags: Flags, baseUrl: string) {
  const email = emailFlag(flags)
  const role = chosen(flags, 'role', ROLES, 'OWNER')
  const orgId = fromPublicId('org', required(flags, 'org'))
  if (orgId === undefined) throw new UsageError('--org must be an id that starts with org_.')
  return people.transaction(undefined, async (tx) => {
    const own = { orgId, now: tx.now, query: tx.query, newUuid: tx.newUuid }
    const by = { name: 'The operator', role: 'OWNER' as const }
    const { uuid, token, expiresAt } = await invite(own, { email, role, by }).catch(explainRefusal)
    const resourceId = toPublicId('inv', uuid)
    const line = { action: 'person invite', organizationId: orgId, resourceId, detail: { role } }
    await recordForOrganization(tx, line)
    const link = `${baseUrl}${PATHS.invitation}#${token}`
    return { email, role, link, expiresAt }
  })
}

type Person = NonNullable<Awaited<ReturnType<typeof findAnyUser>>>

async function forPerson<T>(
  people: Database,
  flags: Flags,
  work: (tx: Tx, person: Person) => Promise<T>,
): Promise<T> {
  const email = emailFlag(flags)
  return people.transaction(undefined, async (tx) => {
    const person = await findAnyUser(tx, email)
    if (person === undefined) throw new UsageError('There is no such person.')
    return work(tx, person)
  })
}

export function emailFlag(flags: Flags): string {
  const address = parseEmailAddress(required(flags, 'email'))
  if (address === undefined) throw new UsageError('--email must be an e-mail address.')
  return comparable(address)
}

function explainRefusal(error: unknown): never {
  if (error instanceof ApiError) throw new UsageError(error.message)
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'invitations_org_id_fkey')
    throw new UsageError('There is no such organization. Try upvane org list.')
  throw error
}

// `upvane org …`: organizations, as the operator makes and sees them.
import { randomBytes } from 'node:crypto'
import { toPublicId, uuidV7 } from '../domain/id.ts'
import type { Database } from '../store/db.ts'
import type { OrganizationSecrets } from '../store/organization-secrets.ts'
import * as organizations from '../store/organizations.ts'
import { chosen, type Flags, idFlag, required, UsageError } from './flags.ts'

const MAX_LISTED = 1000

export type Made = { id: string; name: string; plan: string; subscription: string }

export async function createOrganization(
  database: Database,
  secrets: OrganizationSecrets,
  flags: Flags,
): Promise<Made> {
  const name = required(flags, 'name')
  const plan = chosen(flags, 'plan', organizations.PLANS, 'UNLIMITED')
  const subscription = chosen(flags, 'subscription', organizations.SUBSCRIPTIONS, 'ACTIVE')
  return database.transaction(undefined, async (tx) => {
    const unixMicros = BigInt(tx.now.getTime()) * 1000n
    const id = uuidV7({ unixMicros, sequence: 0, random: randomBytes(8) })
    await organizations.insertOrganization(tx, { id, name, plan, subscription })
    await secrets.create(tx, id)
    return { id: toPublicId('org', id), name, plan, subscription }
  })
}

/** What is not given stays. It counts from the next request and the next check on. */
export async function changeOrganization(database: Database, flags: Flags): Promise<Made> {
  const id = idFlag(flags, 'id', 'org')
  if (flags['plan'] === undefined && flags['subscription'] === undefined)
    throw new UsageError('--plan or --subscription is needed.')
  return database.transaction(undefined, async (tx) => {
    const now = await organizations.lockOrganization(tx, id)
    if (now === undefined)
      throw new UsageError('There is no such organization. Try upvane org list.')
    const plan = chosen(flags, 'plan', organizations.PLANS, now.plan)
    const { SUBSCRIPTIONS } = organizations
    const subscription = chosen(flags, 'subscription', SUBSCRIPTIONS, now.subscription)
    await organizations.updatePlan(tx, { ...now, plan, subscription })
    return { id: toPublicId('org', id), name: now.name, plan, subscription }
  })
}

export async function listOrganizations(database: Database) {
  const found = await organizations.listOrganizations(database, MAX_LISTED)
  return found.map((organization) => ({
    ...organization,
    id: toPublicId('org', organization.id),
    createdAt: organization.createdAt.toISOString(),
  }))
}

// `upvane org …`: organizations, as the operator creates and lists them.
import { fromPublicId, toPublicId } from '../../domain/values/id.ts'
import { PLANS } from '../../domain/values/plan.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import * as organizations from '../../store/people/organizations.ts'
import { isSetupOpen } from '../../store/people/setup.ts'
import { recordCommand, recordForOrganization } from '../cli/audit.ts'
import { chosen, type Flags, idFlag, required, UsageError } from '../cli/flags.ts'

const MAX_LISTED = 1000
const MAX_NAMED = 5
const NONE = 'There is no such organization. Try upvane org list.'

type CreatedOrganization = { id: string; name: string; plan: string; subscription: string }

export async function createOrganization(
  database: Database,
  secrets: OrganizationSecrets,
  flags: Flags,
): Promise<CreatedOrganization> {
  const name = required(flags, 'name')
  const plan = chosen(flags, 'plan', PLANS, 'UNLIMITED')
  const subscription = chosen(flags, 'subscription', organizations.SUBSCRIPTIONS, 'ACTIVE')
  return database.transaction(undefined, async (tx) => {
    const id = tx.newUuid()
    await organizations.insertOrganization(tx, { id, name, plan, subscription }).catch(explainName)
    await secrets.create(tx, id)
    await recordCommand(tx, { action: 'org create', organizationId: id, detail: { plan } })
    return { id: toPublicId('org', id), name, plan, subscription }
  })
}

/** Options that are not given stay unchanged. Takes effect with the next request and the next check. */
export async function changeOrganization(
  database: Database,
  flags: Flags,
): Promise<CreatedOrganization> {
  const id = idFlag(flags, 'id', 'org')
  if (flags['plan'] === undefined && flags['subscription'] === undefined)
    throw new UsageError('--plan or --subscription is needed.')
  return database.transaction(undefined, async (tx) => {
    const now = await organizations.lockOrganization(tx, id)
    if (now === undefined) throw new UsageError(NONE)
    const plan = chosen(flags, 'plan', PLANS, now.plan)
    const { SUBSCRIPTIONS } = organizations
    const subscription = chosen(flags, 'subscription', SUBSCRIPTIONS, now.subscription)
    await organizations.updatePlan(tx, { ...now, plan, subscription })
    const detail = { plan, subscription }
    await recordForOrganization(tx, { action: 'org change', organizationId: id, detail })
    return { id: toPublicId('org', id), name: now.name, plan, subscription }
  })
}

/** Names the existing organizations: their members do not see the new one's keys and monitors. */
export async function createWithNote(
  database: Database,
  people: Database,
  secrets: OrganizationSecrets,
  flags: Flags,
): Promise<CreatedOrganization & { note: string }> {
  const created = await createOrganization(database, secrets, flags)
  const ownId = fromPublicId('org', created.id) ?? ''
  const others = await organizations.listOtherOrganizations(database, ownId, MAX_NAMED)
  const named = others.map(({ id, name }) => `${name} (${toPublicId('org', id)})`).join(', ')
  const owner = (await isSetupOpen(people))
    ? 'Open the set-up link in the log to create the first account as its owner.'
    : `Invite its owner with upvane person invite <email> --org ${created.id}.`
  const note =
    `${created.name} has no members yet. ${owner}` +
    (named === ''
      ? ''
      : ` There are other organizations: ${named}. Their members do not see this one.`)
  return { ...created, note }
}

/** The default if no organization is named: the only one. */
export async function findOnlyOrganization(database: Database): Promise<string> {
  const found = await organizations.listOrganizations(database, MAX_NAMED)
  const [only, ...more] = found
  if (only === undefined)
    throw new UsageError(
      'There is no organization yet. Open the set-up link, or run upvane org create.',
    )
  if (more.length === 0) return toPublicId('org', only.id)
  const named = found.map(({ id, name }) => `  ${toPublicId('org', id)}  ${name}`).join('\n')
  throw new UsageError(`--org is needed, as there are several organizations:\n${named}`)
}

export async function renameOrganization(
  database: Database,
  flags: Flags,
): Promise<{ id: string; name: string }> {
  const id = idFlag(flags, 'id', 'org')
  const name = required(flags, 'name')
  return database.transaction(undefined, async (tx) => {
    if ((await organizations.lockOrganization(tx, id)) === undefined) throw new UsageError(NONE)
    await organizations.setOrganizationName(tx, id, name).catch(explainName)
    await recordForOrganization(tx, { action: 'org rename', organizationId: id })
    return { id: toPublicId('org', id), name }
  })
}

export async function listOrganizations(database: Database) {
  const found = await organizations.listOrganizations(database, MAX_LISTED)
  return found.map((organization) => ({
    ...organization,
    id: toPublicId('org', organization.id),
  }))
}

function explainName(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'organizations_name_check')
    throw new UsageError('The name must have 1 to 120 characters.')
  throw error
}

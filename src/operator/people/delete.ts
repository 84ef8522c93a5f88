// `upvane person delete`: deletes a person completely. Their actions stay, attributed to a "Deleted person". Only an
// operator log entry with their id and counts remains.
import { setTimeout as delay } from 'node:timers/promises'
import { deleteAlertContact } from '../../actions/alerts/delete-contact.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import { appendOperatorAudit, deleteOperatorLines } from '../../store/core/operator-log.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { Tenants } from '../../store/core/tenants.ts'
import * as erase from '../../store/operating/erase-person.ts'
import { deleteOtherSessions } from '../../store/people/sessions.ts'
import { setDisabled } from '../../store/people/users.ts'
import { recordCommand } from '../cli/audit.ts'
import { UsageError } from '../cli/flags.ts'

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const PAUSE_MS = 20

/** `email` is undefined if an interrupted deletion already removed the account. */
export type ErasedPerson = { uuid: string; email: string | undefined; name: string }
type Deps = { engine: Database; people: Database; secrets: OrganizationSecrets }
type Counts = Record<string, number>

export async function erasePerson(
  deps: Deps,
  person: ErasedPerson,
): Promise<{ id: string; removed: Counts }> {
  const { engine, people } = deps
  const { uuid, email } = person
  const id = toPublicId('usr', uuid)
  // The account can no longer act, so nothing new is written about the person.
  const orgIds = await people.transaction(undefined, (tx) => shutOut(tx, uuid))
  const counts: Counts = await eraseTraces(engine, person, orgIds)
  if (email !== undefined) {
    Object.assign(counts, await eraseAddress(deps, uuid, email))
    counts['account'] = await people.transaction(undefined, (tx) => deleteAccount(tx, uuid, email))
  }
  counts['log'] = await walk((after) => erase.eraseInLog(engine, { uuid, publicId: id }, after))
  await engine.transaction(undefined, async (tx) => {
    await deleteOperatorLines(tx, { personId: uuid })
    await recordCommand(tx, {
      action: 'person delete',
      personId: uuid,
      detail: { removed: counts },
    })
  })
  return { id, removed: counts }
}

async function shutOut(tx: Tx, uuid: string): Promise<string[]> {
  await refuseLastOwner(tx, uuid)
  await setDisabled(tx, uuid, true)
  await deleteOtherSessions(tx, uuid, null)
  return erase.listOrganizationsOf(tx, uuid)
}

async function deleteAccount(tx: Tx, uuid: string, email: string): Promise<number> {
  await refuseLastOwner(tx, uuid)
  const line = { action: 'removeMember', resourceId: null }
  for (const orgId of await erase.listOrganizationsOf(tx, uuid))
    await appendOperatorAudit(tx, orgId, line)
  return erase.deletePersonRows(tx, uuid, email)
}

async function refuseLastOwner(tx: Tx, uuid: string): Promise<void> {
  const [first] = await erase.lockLastOwnerships(tx, uuid)
  if (first === undefined) return
  const id = toPublicId('org', first.orgId)
  throw new UsageError(
    `They are the last owner of ${first.name} (${id}). Make somebody else an owner first, or delete the organization with upvane org delete ${id}. Nothing was deleted.`,
  )
}

async function eraseTraces(
  engine: Database,
  { uuid, email, name }: ErasedPerson,
  orgIds: readonly string[],
): Promise<Counts> {
  const [organizations, names] = [new Set(orgIds), new Set([name])]
  await walk(async (after) => {
    const { rows, next } = await erase.readTraces(engine, uuid, after)
    for (const trace of rows) {
      organizations.add(trace.orgId)
      names.add(trace.name)
    }
    return { next, changed: 0 }
  })
  const words = { uuid, email, names: [...names], orgIds: [...organizations] }
  return {
    incidents: await walk((after) => erase.eraseInIncidents(engine, uuid, after)),
    notes: await walk((after) => erase.eraseInNotes(engine, uuid, after)),
    names: await erase.eraseNames(engine, words.orgIds, words.names),
    details: await walk((after) => erase.eraseWordsInLog(engine, words, after)),
  }
}

async function eraseAddress(deps: Deps, uuid: string, email: string): Promise<Counts> {
  const { engine, secrets } = deps
  return {
    contacts: (await eraseOwnContacts(deps, uuid)) + (await eraseContacts(deps, email)),
    subscriptions: await walk((after) =>
      erase.unsubscribeEverywhere(engine, secrets, email, after),
    ),
    emails: await walk(async (after) => {
      const wish = { where: 'deliveries' as const, email }
      const { rows, next } = await erase.findAddressed(engine, secrets, wish, after)
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await erase.deleteEmails(engine, ids)
      return { next, changed: rows.length }
    }),
  }
}

async function eraseContacts({ engine, secrets }: Deps, email: string): Promise<number> {
  const tenants = new Tenants(engine, secrets)
  return walk(async (after) => {
    const wish = { where: 'alert_contacts' as const, email }
    const { rows, next } = await erase.findAddressed(engine, secrets, wish, after)
    for (const contact of rows) await eraseContact(tenants, contact)
    return { next, changed: rows.length }
  })
}

async function eraseOwnContacts({ engine, secrets }: Deps, uuid: string): Promise<number> {
  const tenants = new Tenants(engine, secrets)
  const contacts = await erase.findOwnContacts(engine, uuid)
  for (const contact of contacts) await eraseContact(tenants, contact)
  return contacts.length
}

async function eraseContact(
  tenants: Tenants,
  { id, orgId }: { id: string; orgId: string },
): Promise<void> {
  await tenants.transaction(orgId, async (tx) => {
    await erase.eraseContactName(tx, orgId, id)
    await deleteAlertContact(tx, id)
  })
}

async function walk(
  step: (after: string) => Promise<{ next: string | undefined; changed: number }>,
): Promise<number> {
  let total = 0
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const { next, changed }: { next: string | undefined; changed: number } = await step(after)
    total += changed
    after = next
    if (next !== undefined) await delay(PAUSE_MS)
  }
  return total
}

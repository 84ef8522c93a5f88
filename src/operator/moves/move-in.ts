// `upvane org move import`: reads the file of another installation, and writes all of it or nothing.
import { createReadStream } from 'node:fs'
import { type MoveDecisions, resetSentences } from '../../domain/operating/move-decisions.ts'
import {
  type MovedPerson,
  type MovedRow,
  type MoveManifest,
  parseManifest,
  parseMoveLine,
} from '../../domain/operating/organization-move.ts'
import { ROLES, type Role } from '../../domain/people/role.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { comparable, parseEmailAddress } from '../../domain/values/email-address.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { PLANS } from '../../domain/values/plan.ts'
import { openFile, SealedFileError } from '../../platform/crypto/sealed-file.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import { type Database, isDataError, type Tx } from '../../store/core/db.ts'
import { adjustMovedIn } from '../../store/operating/move-adjust.ts'
import { thaw } from '../../store/operating/move-freeze.ts'
import * as store from '../../store/operating/move-in.ts'
import { MoveInError } from '../../store/operating/move-in-error.ts'
import { MovedMembers, type NotedMember } from '../../store/operating/move-members.ts'
import { adoptPerson } from '../../store/operating/move-people.ts'
import { insertInvitation } from '../../store/people/members.ts'
import { subscriberLocation } from '../../store/status-pages/subscribers.ts'
import { recordForOrganization } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { chosen, type Flags, required, UsageError } from '../cli/flags.ts'
import { readLines } from './lines.ts'
import { readSecret } from './secret.ts'

const INVITATION_DAYS = 7
const BATCH_ROWS = 5000
const BATCH_CHARACTERS = 4 * 1024 * 1024
const UNIQUE_VIOLATION = '23505'
const UNREADABLE: ReadonlySet<unknown> = new Set(['ENOENT', 'EISDIR', 'EACCES'])

type Lines = AsyncGenerator<string>

export async function moveIn(context: CommandContext): Promise<unknown> {
  const file = required(context.argument(0, 'file'), 'file')
  const secret = readSecret(context.flags)
  const openLines = () =>
    readLines(openFile(secret, createReadStream(file) as AsyncIterable<Buffer>))
  try {
    // Twice: nothing is written before the whole file is known to be complete and unchanged.
    await readToEnd(openLines())
    const lines = openLines()
    // A refusal leaves the file open otherwise.
    return await importLines(context, lines).finally(() => lines.return(undefined))
  } catch (error) {
    throw explained(error)
  }
}

async function readToEnd(lines: Lines): Promise<void> {
  await readManifest(lines)
  for await (const line of lines) requireLine(line)
}

function requireLine(line: string): NonNullable<ReturnType<typeof parseMoveLine>> {
  const parsed = parseMoveLine(line)
  if (parsed === undefined) throw new MoveInError('A line of the file is not understood.')
  return parsed
}

async function importLines(context: CommandContext, lines: Lines): Promise<unknown> {
  const { engine, people, secrets, flags } = context
  const manifest = await readManifest(lines)
  const { orgId } = manifest
  await refuseUnfit(engine, manifest)
  await store.preparePartitions(engine, manifest.firstDay, new Date())
  const decisions = readDecisions(flags)
  const { keepsMembers } = decisions
  const newPeople = keepsMembers ? await adoptPeople(people, manifest.people) : new Map()
  const members = new MovedMembers(peopleById(manifest), keepsMembers)
  const done = await engine.transaction(undefined, async (tx) => {
    const writer = await store.MoveInWriter.open(tx, { orgId, newPeople, members })
    const rows = await writeTables(writer, lines)
    await secrets.adopt(tx, orgId, Buffer.from(manifest.key, 'base64'))
    const cipher = await secrets.cipherOf(tx, orgId)
    const sealToken = (uuid: string, token: string) =>
      cipher.seal(subscriberLocation(uuid, 'token'), token)
    const reset = await adjustMovedIn({ db: tx, orgId, sealToken, decisions })
    const invited = await inviteMembers(tx, orgId, members.noted)
    await thaw(tx, orgId)
    await record(tx, manifest, rows)
    return { rows, reset, invited }
  })
  const { rows, invited } = done
  const { invitations, ownContacts } = members
  return {
    id: toPublicId('org', orgId),
    name: manifest.name,
    rows,
    people: manifest.people.length,
    reset: resetSentences({ ...done.reset, invitations, ownContacts }),
    ...(keepsMembers
      ? {}
      : { invited: invited.map((one) => toShown(one, context.config.baseUrl)) }),
  }
}

/** By the ids that their rows have in the file. */
const peopleById = ({ people }: MoveManifest): ReadonlyMap<string, MovedPerson> =>
  new Map(people.map((person) => [person.uuid, person]))

type Invited = { email: string; role: Role; token: string; expiresAt: Date }

/** Nobody is a member until they accept. No email is sent: the addresses are those of the file. */
async function inviteMembers(
  tx: Tx,
  orgId: string,
  members: readonly NotedMember[],
): Promise<Invited[]> {
  const own = { orgId, query: tx.query }
  const expiresAt = new Date(tx.now.getTime() + INVITATION_DAYS * 86_400_000)
  const invited: Invited[] = []
  for (const { email: text, role: name } of members) {
    const address = parseEmailAddress(text)
    const role = ROLES.find((known) => known === name)
    if (address === undefined || role === undefined)
      throw new MoveInError('A member of the file has no valid address or role.')
    const email = comparable(address)
    const token = newToken()
    const tokenHash = hashToken(token)
    const made = { uuid: tx.newUuid(), email, role, invitedBy: 'The operator', expiresAt }
    await insertInvitation(own, { ...made, tokenHash })
    invited.push({ email, role, token, expiresAt })
  }
  return invited
}

const toShown = ({ email, role, token, expiresAt }: Invited, baseUrl: string) => ({
  email,
  role,
  link: `${baseUrl}${PATHS.invitation}#${token}`,
  expiresAt: expiresAt.toISOString(),
})

/** Everything stays closed that the operator does not open. */
function readDecisions(flags: Flags): MoveDecisions {
  const isTrusted = flags['trust-source'] === true
  const keeps = (flag: string) => isTrusted || flags[flag] === true
  const isPlanOfFile = isTrusted && flags['plan'] === undefined
  return {
    plan: isPlanOfFile ? null : chosen(flags, 'plan', PLANS, 'FREE'),
    keepsLimits: keeps('keep-limits'),
    keepsSubscription: isTrusted,
    keepsPrivateTargets: flags['private-targets'] === true,
    keepsDomains: keeps('keep-domains'),
    keepsConfirmed: keeps('keep-confirmed'),
    keepsMembers: keeps('keep-members'),
    keepsQueue: keeps('keep-queue'),
  }
}

async function readManifest(lines: Lines): Promise<MoveManifest> {
  const { value } = await lines.next()
  const manifest = parseManifest(value ?? '')
  if (manifest === undefined)
    throw new UsageError('The file has no manifest that this version can read.')
  return manifest
}

async function refuseUnfit(engine: Database, { orgId, schema }: MoveManifest): Promise<void> {
  const own = await store.findSchema(engine)
  if (own !== schema)
    throw new UsageError(
      `Both installations must run the same version: the file has ${schema}, this database has ${own}.`,
    )
  if (await store.hasOrganization(engine, orgId))
    throw new UsageError(
      `${toPublicId('org', orgId)} is in this installation already. If it moved away from here, delete it first: upvane org delete.`,
    )
}

/** Their ids here, for those whose ids differ. Accounts are not undone with the import: they hold nothing of it. */
function adoptPeople(
  people: Database,
  persons: readonly MovedPerson[],
): Promise<ReadonlyMap<string, string>> {
  return people.transaction(undefined, async (tx) => {
    const newIds = new Map<string, string>()
    for (const person of persons) {
      const id = await adoptPerson(tx, person, tx.newUuid())
      if (id !== person.uuid) newIds.set(person.uuid, id)
    }
    return newIds
  })
}

async function writeTables(writer: store.MoveInWriter, lines: Lines): Promise<number> {
  let table = ''
  let batch: MovedRow[] = []
  let characters = 0
  let count = 0
  const flush = async () => {
    if (batch.length > 0) await writer.write(table, batch)
    count += batch.length
    batch = []
    characters = 0
  }
  for await (const line of lines) {
    const parsed = requireLine(line)
    if (parsed.kind === 'TABLE') {
      await flush()
      table = parsed.table
    }
    if (parsed.kind !== 'ROW') continue
    batch.push(parsed.row)
    characters += line.length
    if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush()
  }
  await flush()
  return count
}

async function record(tx: Tx, { orgId, frozenAt }: MoveManifest, rows: number): Promise<void> {
  const detail = { rows, frozenAt }
  await recordForOrganization(tx, { action: 'org move import', organizationId: orgId, detail })
}

/** What the operator can act on, as a sentence. Nothing was imported in any of these cases. */
function explained(error: unknown): unknown {
  if (error instanceof MoveInError || error instanceof SealedFileError)
    return new UsageError(`${error.message} Nothing was imported.`)
  if (!(error instanceof Error && 'code' in error)) return error
  const detail = sentenceOf(error)
  if (error.code === UNIQUE_VIOLATION)
    return new UsageError(`Something is in use here already. ${detail} Nothing was imported.`)
  if (isDataError(error))
    return new UsageError(`A row is not valid here: ${detail} Nothing was imported.`)
  return UNREADABLE.has(error.code)
    ? new UsageError(`The file cannot be read: ${error.message}`)
    : error
}

/** PostgreSQL ends only details with a period. */
function sentenceOf(error: Error): string {
  const text = 'detail' in error && typeof error.detail === 'string' ? error.detail : error.message
  return text.endsWith('.') ? text : `${text}.`
}

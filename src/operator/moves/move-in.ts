// `upvane org move import`: reads the file of another installation, and writes all of it or nothing.
import { createReadStream } from 'node:fs'
import {
  type MovedPerson,
  type MovedRow,
  type MoveManifest,
  parseManifest,
  parseMoveLine,
} from '../../domain/operating/organization-move.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { openFile, SealedFileError } from '../../platform/crypto/sealed-file.ts'
import { type Database, isDataError, type Tx } from '../../store/core/db.ts'
import { thaw } from '../../store/operating/move-freeze.ts'
import * as store from '../../store/operating/move-in.ts'
import { MoveInError } from '../../store/operating/move-in-error.ts'
import { adoptPerson } from '../../store/operating/move-people.ts'
import { recordForOrganization } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { required, UsageError } from '../cli/flags.ts'
import { readLines } from './lines.ts'
import { readSecret } from './secret.ts'

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
  const newPeople = await adoptPeople(people, manifest.people)
  const mayHavePrivateTargets = flags['private-targets'] === true
  const rows = await engine.transaction(undefined, async (tx) => {
    const writer = await store.MoveInWriter.open(tx, { orgId, newPeople })
    const count = await writeTables(writer, lines)
    await secrets.adopt(tx, orgId, Buffer.from(manifest.key, 'base64'))
    await store.adjustMovedIn(tx, orgId, { mayHavePrivateTargets })
    await thaw(tx, orgId)
    await record(tx, manifest, count)
    return count
  })
  const id = toPublicId('org', orgId)
  return { id, name: manifest.name, rows, people: manifest.people.length }
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

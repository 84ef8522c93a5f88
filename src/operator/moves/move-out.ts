// `upvane org move export`: freezes an organization and writes everything it has to an encrypted file.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { MOVE_FORMAT, type MoveManifest } from '../../domain/operating/organization-move.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { type FileSecret, sealFile } from '../../platform/crypto/sealed-file.ts'
import type { Database } from '../../store/core/db.ts'
import { findHorizon, hasPassed } from '../../store/operating/erase-organization.ts'
import { countInFlight, freeze, lockMoving, thaw } from '../../store/operating/move-freeze.ts'
import { readForMove } from '../../store/operating/move-out.ts'
import { listMovedPeople } from '../../store/operating/move-people.ts'
import { recordForOrganization } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { confirm } from '../cli/confirm.ts'
import { idFlag, required, UsageError } from '../cli/flags.ts'
import { toLines } from './lines.ts'
import { readSecret } from './secret.ts'

const PRIVATE = 0o600
const POLL_MS = 250
// Longer than any statement of the service, and than any attempt to deliver.
const MAX_WAIT_MS = 90_000
const NONE = 'There is no such organization. Try upvane org list.'

type Frozen = { orgId: string; name: string; movedAt: Date }

export async function moveOut(context: CommandContext): Promise<unknown> {
  const orgId = idFlag(context.argument(0, 'id'), 'id', 'org')
  const file = required(context.flags, 'file')
  const secret = readSecret(context.flags)
  const output = await createFile(file)
  try {
    const frozen = await freezeOrganization(context.engine, orgId)
    await waitForStragglers(context.engine, orgId)
    const written = await writeFile(context, frozen, { output, secret })
    const line = {
      action: 'org move export',
      organizationId: orgId,
      detail: { rows: written.rows },
    }
    await context.engine.transaction(undefined, (tx) => recordForOrganization(tx, line))
    return { id: toPublicId('org', orgId), file, format: MOVE_FORMAT, ...written }
  } catch (error) {
    output.destroy()
    rmSync(file, { force: true })
    throw error
  }
}

/** Continues an interrupted export: an organization that is frozen already stays so. */
function freezeOrganization(engine: Database, orgId: string): Promise<Frozen> {
  return engine.transaction(undefined, async (tx) => {
    const found = await lockMoving(tx, orgId)
    if (found === undefined) throw new UsageError(NONE)
    const { name, movedAt } = found
    if (movedAt !== null) return { orgId, name, movedAt }
    if (found.isDeleted) throw new UsageError('This organization is being deleted.')
    await freeze(tx, orgId)
    await recordForOrganization(tx, { action: 'org move freeze', organizationId: orgId })
    return { orgId, name, movedAt: tx.now }
  })
}

/** Transactions that began before the freeze may still write, and deliveries may still be on their way. */
async function waitForStragglers(engine: Database, orgId: string): Promise<void> {
  const horizon = await findHorizon(engine)
  const deadlineMs = performance.now() + MAX_WAIT_MS
  while (!(await hasPassed(engine, horizon)) || (await countInFlight(engine, orgId)) > 0) {
    if (performance.now() > deadlineMs)
      throw new UsageError(
        'Work of this organization is still in flight. It is frozen: try again, or upvane org move undo.',
      )
    await delay(POLL_MS)
  }
}

async function writeFile(
  { config, engine, people, secrets }: CommandContext,
  { orgId, name, movedAt }: Frozen,
  { output, secret }: { output: WriteStream; secret: FileSecret },
): Promise<{ rows: number; sha256: string }> {
  const key = (await secrets.reveal(engine, orgId)).toString('base64')
  const members = await listMovedPeople(people, orgId)
  const hash = createHash('sha256')
  let rows = 0
  await readForMove(config.databaseUrl, orgId, async ({ schema, firstDay, tables }) => {
    const frozenAt = movedAt.toISOString()
    const manifest: MoveManifest = {
      format: MOVE_FORMAT,
      schema,
      orgId,
      name,
      key,
      frozenAt,
      firstDay,
      people: members,
    }
    const lines = toLines(manifest, tables, (count) => {
      rows += count
    })
    for await (const chunk of sealFile(secret, lines)) {
      hash.update(chunk)
      if (!output.write(chunk)) await once(output, 'drain')
    }
  })
  output.end()
  await once(output, 'finish')
  return { rows, sha256: hash.digest('hex') }
}

async function createFile(file: string): Promise<WriteStream> {
  const stream = createWriteStream(file, { flags: 'wx', mode: PRIVATE })
  await once(stream, 'open').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The file cannot be created: ${reason}`)
  })
  return stream
}

/** `upvane org move undo`: the organization works here again. */
export async function undoMove(context: CommandContext): Promise<unknown> {
  const orgId = idFlag(context.argument(0, 'id'), 'id', 'org')
  const name = await context.engine.transaction(undefined, async (tx) => {
    const found = await lockMoving(tx, orgId)
    if (found === undefined) throw new UsageError(NONE)
    if (found.movedAt === null) throw new UsageError('This organization is not being moved.')
    return found.name
  })
  const warning = `If ${name} was imported elsewhere, two installations would check and alert for it.`
  await confirm(context.flags, warning, name)
  await context.engine.transaction(undefined, async (tx) => {
    const found = await lockMoving(tx, orgId)
    if (!found?.movedAt) throw new UsageError('This organization is not being moved.')
    await thaw(tx, orgId)
    await recordForOrganization(tx, { action: 'org move undo', organizationId: orgId })
  })
  return { id: toPublicId('org', orgId), name }
}

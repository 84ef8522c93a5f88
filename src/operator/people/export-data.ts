// `upvane org export` and `upvane person export`: all their stored data as JSON, without secrets.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { type ContactChannel } from '../../domain/alerts/channels.ts'
import { type ContactSettings, shownSettings } from '../../domain/alerts/contact.ts'
import { shownHook } from '../../domain/events/hook-subscriber.ts'
import { toPublicId } from '../../domain/values/id.ts'
import type { Cipher } from '../../store/core/organization-secrets.ts'
import {
  type ExportedTable,
  exportOrganization,
  SEALED_ADDRESSES,
} from '../../store/operating/export-organization.ts'
import { readAccount, readActions, readWritten } from '../../store/operating/export-person.ts'
import { recordCommand, recordForOrganization } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { UsageError } from '../cli/flags.ts'
import type { ErasedPerson } from './delete.ts'

const ORGANIZATION_FORMAT = 'upvane-organization-export/1'
const PERSON_FORMAT = 'upvane-person-export/1'
const PRIVATE = 0o600
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type Row = Record<string, unknown>

export async function exportOrganizationData(
  { config, engine, secrets, flags }: CommandContext,
  orgId: string,
): Promise<unknown> {
  const cipher = await secrets.cipherOf(engine, orgId)
  const output = await openOutput(flags['file'])
  const rows: Record<string, number> = {}
  await output.write(
    `{"format":"${ORGANIZATION_FORMAT}","id":"${toPublicId('org', orgId)}","exportedAt":"${new Date().toISOString()}","tables":{`,
  )
  await exportOrganization(config.databaseUrl, orgId, async (tables) => {
    for await (const table of tables) {
      const separator = Object.keys(rows).length === 0 ? '' : ','
      await output.write(`${separator}\n"${table.name}":[`)
      rows[table.name] = await writeRows(output, table, cipher)
      await output.write(']')
    }
  })
  await output.write('}}\n')
  await output.close()
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0)
  const line = { action: 'org export', organizationId: orgId, detail: { rows: total } }
  await engine.transaction(undefined, (tx) => recordForOrganization(tx, line))
  return output.file && { file: output.file, format: ORGANIZATION_FORMAT, rows: total }
}

async function writeRows(output: Output, table: ExportedTable, cipher: Cipher): Promise<number> {
  let count = 0
  for await (const batch of table.rows) {
    const lines = batch.map((row) => JSON.stringify(revealed(table.name, row, cipher)))
    await output.write(`${count === 0 ? '\n' : ',\n'}${lines.join(',\n')}`)
    count += batch.length
  }
  return count
}

/** Addresses are encrypted together with secrets; the secrets are hidden as in the API. */
function revealed(table: string, row: Row, cipher: Cipher): Row {
  const column = SEALED_ADDRESSES[table]
  const sealed = column === undefined ? undefined : row[column]
  if (column === undefined || !(sealed instanceof Buffer)) return row
  const open = cipher.unseal({ table, row: String(row['id']), column }, sealed)
  if (table !== 'alert_contacts') {
    const isPlain = (row['kind'] ?? 'EMAIL') === 'EMAIL'
    return { ...row, [column]: isPlain ? open : shownHook(open) }
  }
  // Safe because the product wrote both for a contact.
  const settings = JSON.parse(open) as ContactSettings
  return { ...row, settings: shownSettings(row['channel'] as ContactChannel, settings) }
}

export async function exportPersonData(
  { people, engine, flags }: CommandContext,
  { uuid }: ErasedPerson,
): Promise<unknown> {
  const actions: unknown[] = []
  for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
    const stretch: Awaited<ReturnType<typeof readActions>> = await readActions(engine, uuid, after)
    actions.push(...stretch.actions)
    after = stretch.next
  }
  const document = {
    format: PERSON_FORMAT,
    id: toPublicId('usr', uuid),
    exportedAt: new Date().toISOString(),
    ...(await readAccount(people, uuid)),
    actions,
    ...(await readWritten(engine, uuid)),
  }
  const output = await openOutput(flags['file'])
  await output.write(`${JSON.stringify(document, null, 1)}\n`)
  await output.close()
  await recordCommand(engine, { action: 'person export', personId: uuid })
  return output.file && { file: output.file, format: PERSON_FORMAT }
}

type Output = {
  file: string | undefined
  write(text: string): Promise<void>
  close(): Promise<void>
}

/** A new file that only its owner can read, or standard output. */
async function openOutput(file: unknown): Promise<Output> {
  if (typeof file !== 'string') return outputTo(process.stdout, undefined)
  const stream = createWriteStream(file, { flags: 'wx', mode: PRIVATE })
  await once(stream, 'open').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The file cannot be created: ${reason}`)
  })
  return outputTo(stream, file)
}

function outputTo(stream: Writable, file: string | undefined): Output {
  return {
    file,
    async write(text) {
      if (!stream.write(text)) await once(stream, 'drain')
    },
    async close() {
      if (file === undefined) return
      stream.end()
      await once(stream, 'finish')
    },
  }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Upvane } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { BindingLedger } from '../as-code/act/bindings.ts'
import { createOutput, type Output } from '../as-code/act/output.ts'
import { readOrganization } from '../as-code/act/read-live.ts'
import { mergeExport } from '../as-code/export/merge-file.ts'
import { type ExportedFile, printExport, toExport } from '../as-code/export/to-file.ts'
import { addressOf } from '../as-code/model/kinds.ts'
import { CommandError, defineCommand } from '../command.ts'
import { clean } from '../terminal/text.ts'

export const exportFile = defineCommand({
  name: 'export',
  summary: 'write what the organization has to a configuration file',
  options: {
    source: { value: 'NAME', text: 'the source to write, and to bind to' },
    output: {
      value: 'FILE',
      short: 'o',
      text: 'where to write; else it is only shown, and nothing is bound',
      completion: 'file',
    },
    merge: { text: 'add to the file what it does not have; what it has stays, comments included' },
    'no-bind': { text: 'only write: the file manages nothing until it is applied or adopts' },
    'with-secrets': {
      text: 'write request headers and bodies, instead of placeholders for environment variables',
    },
  },
  usesApi: true,
  notes: [
    'From then on the file that it writes manages what it has.',
    'Resources of other sources, windows that are over and contacts of single people are left out, and listed.',
  ],
  async run(call) {
    const { source, output: file, merge, ...rest } = call.options
    if (source === undefined || !/^[A-Za-z0-9][A-Za-z0-9._/@:-]{0,99}$/.test(source))
      throw new CommandError(2, '--source is needed: up to 100 letters, digits and ._/@:-')
    if (file !== undefined && existsSync(file) && !merge)
      throw new CommandError(2, `${file} exists. Pass --merge to add to it.`)
    const settings = {
      source,
      file,
      withSecrets: rest['with-secrets'],
      isBinding: file !== undefined && !rest['no-bind'],
    }
    const output = createOutput([call.env['UPVANE_API_KEY'] ?? ''])
    await run(await openClient(call), settings, output)
  },
})

type ExportSettings = {
  source: string
  file: string | undefined
  withSecrets: boolean
  isBinding: boolean
}

async function run(client: Upvane, settings: ExportSettings, output: Output): Promise<void> {
  const { source, file, withSecrets, isBinding } = settings
  const { live, bindings } = await readOrganization(client, source)
  const now = Date.now()
  const exported = toExport({ source, live, bindings: bindings.bindings, withSecrets, now })
  const ledger = new BindingLedger(client, { ...bindings, hasMoves: false })
  for (const { kind, key, id } of exported.entries)
    ledger.set({ address: addressOf(kind, key), id })
  // Bound first: a file that manages nothing would create everything again.
  if (isBinding) await ledger.announce()
  write(file, exported)
  for (const note of exported.notes) output.note(`Left out: ${clean(note)}`)
  if (exported.variables.length > 0)
    output.note(`The file needs these environment variables: ${exported.variables.join(', ')}`)
  const count = exported.entries.length
  const resources = count === 1 ? '1 resource' : `${count} resources`
  output.note(`${resources}${isBinding ? `, managed by ${source} from now on` : ''}.`)
}

function write(file: string | undefined, exported: ExportedFile): void {
  if (file === undefined) process.stdout.write(printExport(exported))
  else if (existsSync(file)) writeFileSync(file, mergeExport(readFileSync(file, 'utf8'), exported))
  else writeFileSync(file, printExport(exported))
}

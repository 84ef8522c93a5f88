import type { Upvane } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { BindingLedger } from '../as-code/act/bindings.ts'
import { createOutput } from '../as-code/act/output.ts'
import { readOrganization } from '../as-code/act/read-live.ts'
import { FILE_OPTION, secretsOf } from '../as-code/act/session.ts'
import type { Configuration } from '../as-code/file/configuration.ts'
import { loadConfiguration } from '../as-code/file/read-file.ts'
import { CommandError, defineCommand } from '../command.ts'
import { clean } from '../terminal/text.ts'

export const adopt = defineCommand({
  name: 'adopt',
  summary: 'let an entry of a configuration file manage a resource that exists',
  arguments: [
    { name: 'address', text: 'the entry, such as monitors.checkout' },
    { name: 'id', text: 'id of the resource' },
  ],
  options: FILE_OPTION,
  usesApi: true,
  notes: ['Nothing of the resource changes: "upv plan" shows what an apply would do to it.'],
  examples: ['upv adopt monitors.checkout mon_01m7e3dhx0e008000mxrf1bnxa'],
  async run(call) {
    const [address = '', id = ''] = call.args
    const { configuration } = await loadConfiguration(call.options.file, call.env)
    const client = await openClient(call)
    const name = await bind(client, configuration, address, id)
    const output = createOutput(secretsOf(configuration, call.env))
    output.print(`${address} manages ${id} (${clean(name)}).`)
  },
})

/** Returns the name of the resource. */
async function bind(
  client: Upvane,
  configuration: Configuration,
  address: string,
  id: string,
): Promise<string> {
  const { source, resources } = configuration
  const resource = resources.find((each) => each.address === address)
  if (resource === undefined) throw new CommandError(2, `${address} is not in the file.`)
  const { live, bindings } = await readOrganization(client, source)
  const there = live.find((each) => each.id === id && each.kind === resource.kind)
  if (there === undefined)
    throw new CommandError(2, `There is no ${id} among the ${resource.kind}.`)
  if (there.source !== null && there.source !== source)
    throw new CommandError(4, managedElsewhere(id, there.source, there.address))
  const other = bindings.bindings.find((each) => each.id === id && each.address !== address)
  if (other !== undefined)
    throw new CommandError(
      4,
      `${id} is ${other.address} of this file. To rename it, write moved: [{ from: ${other.address}, to: ${address} }].`,
    )
  const old = bindings.bindings.find((each) => each.address === address)
  if (old?.id != null && old.id !== id && live.some((each) => each.id === old.id))
    throw new CommandError(
      4,
      `${address} manages ${old.id} already. Run "upv forget ${address}" first, or choose another entry.`,
    )
  const ledger = new BindingLedger(client, { ...bindings, hasMoves: false })
  ledger.set({ address, id })
  await ledger.announce()
  return there.name
}

function managedElsewhere(id: string, source: string, address: string | null): string {
  const entry = address ?? '<its entry>'
  const command = clean(`upv forget --source ${source} ${entry}`)
  return `${id} is managed by ${clean(source)}. Run "${command}" first, and remove the entry from that file.`
}

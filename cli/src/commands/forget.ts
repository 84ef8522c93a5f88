import { openClient } from '../api/client.ts'
import { BindingLedger, readBindings } from '../as-code/act/bindings.ts'
import { FILE_OPTION } from '../as-code/act/session.ts'
import { loadConfiguration } from '../as-code/file/read-file.ts'
import { CommandError, defineCommand } from '../command.ts'
import { clean, print } from '../terminal/text.ts'

export const forget = defineCommand({
  name: 'forget',
  summary: 'stop managing a resource by a configuration file',
  arguments: [{ name: 'address', text: 'its entry, such as monitors.checkout' }],
  options: {
    ...FILE_OPTION,
    source: { value: 'NAME', text: 'the source that manages it, instead of that of the file' },
  },
  usesApi: true,
  notes: [
    'The resource stays as it is. Remove its entry from the file too: the next plan would refuse to create it again.',
  ],
  examples: ['upv forget monitors.checkout', 'upv forget --source shop monitors.checkout'],
  async run(call) {
    const [address = ''] = call.args
    const { source = await sourceOfFile(call.options.file, call.env) } = call.options
    const client = await openClient(call)
    const bindings = await readBindings(client, source)
    const binding = bindings.bindings.find((each) => each.address === address)
    if (binding === undefined)
      throw new CommandError(2, `${clean(source)} does not manage ${clean(address)}.`)
    const ledger = new BindingLedger(client, { ...bindings, hasMoves: false })
    ledger.remove(address)
    await ledger.announce()
    const resource = binding.id === null ? '' : ` ${clean(binding.id)} stays, managed by no file.`
    print(`${clean(source)} has forgotten ${clean(address)}.${resource}`)
  },
})

type LoadConfiguration = typeof loadConfiguration

/** Its variables need no value: only the name of the source matters. */
async function sourceOfFile(...[file, env]: Parameters<LoadConfiguration>): Promise<string> {
  const { configuration } = await loadConfiguration(file, env, { variables: 'ALLOW' })
  return configuration.source
}

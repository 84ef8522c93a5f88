import { openClient } from '../api/client.ts'
import { readBindings } from '../as-code/act/bindings.ts'
import { type Command, CommandError, defineCommand } from '../command.ts'
import { formatTime } from '../terminal/format.ts'
import { type Listing, printList } from '../terminal/output.ts'
import { clean, print } from '../terminal/text.ts'

type Source = { source: string; resources: number; updatedAt: string | null }

const LISTING: Listing<Source> = {
  columns: [{ title: 'SOURCE', shrinksTo: 12 }, { title: 'RESOURCES' }, { title: 'LAST APPLY' }],
  toRow: ({ source, resources, updatedAt }) => [
    source,
    String(resources),
    updatedAt === null ? '' : formatTime(updatedAt),
  ],
  none: 'No source manages anything.',
}
// Any name tells about all others. This one is not of a file.
const NO_SOURCE = 'upv-sources-list'

const list = defineCommand({
  name: 'sources list',
  summary: 'list the configuration files that manage resources',
  usesApi: true,
  printsJson: true,
  async run(call) {
    const client = await openClient(call)
    const { otherSources = [] } = await readBindings(client, NO_SOURCE)
    const sources: Source[] = []
    for (const name of otherSources) {
      const { source, bindings, updatedAt } = await client.ext.sources.bindings(name)
      sources.push({ source, resources: bindings.length, updatedAt })
    }
    printList(sources, LISTING, call.options.json)
  },
})

const remove = defineCommand({
  name: 'sources delete',
  summary: 'stop managing everything of a configuration file',
  arguments: [{ name: 'source', text: 'its name, as in the file' }],
  options: { yes: { text: 'needed: nothing can bring the bindings back but adopting one by one' } },
  usesApi: true,
  notes: ['All resources stay as they are, managed by no file.'],
  examples: ['upv sources delete shop --yes'],
  async run(call) {
    const [source = ''] = call.args
    const client = await openClient(call)
    const { bindings, revision } = await readBindings(client, source)
    if (revision === 0) throw new CommandError(2, `there is no source "${clean(source)}".`)
    const count = bindings.length === 1 ? '1 resource' : `${bindings.length} resources`
    if (!call.options.yes)
      throw new CommandError(4, `${clean(source)} manages ${count}. Pass --yes to stop that.`)
    await client.ext.sources.delete(source)
    print(`${clean(source)} manages nothing any more. It managed ${count}, which stay as they are.`)
  },
})

export const SOURCE_COMMANDS: readonly Command[] = [list, remove]

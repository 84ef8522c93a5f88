// `upv import incidents`: the history of a status page, from the list that `upv import` has made.
import type { StatusIncident, StatusPage, Upvane } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { CommandError, defineCommand } from '../command.ts'
import { parseJson, readText } from '../import/common/input.ts'
import {
  type PastIncident,
  type PastUpdate,
  readIncidentsFile,
} from '../import/common/past-incident.ts'
import { clean, note, print, toSafeJson } from '../terminal/text.ts'

export const INCIDENTS_FILE = 'past-incidents.json'

const OPTIONS = {
  incidents: {
    value: 'FILE',
    text: `the list that the import has made (${INCIDENTS_FILE})`,
    completion: 'file',
  },
  source: { value: 'NAME', text: 'the source in upvane.yaml' },
} as const

export const importIncidents = defineCommand({
  name: 'import incidents',
  summary: 'add the past incidents of the old status page',
  options: OPTIONS,
  usesApi: true,
  printsJson: true,
  notes: [
    `Run it after "upv apply", and before visitors see the page: while the updates of an incident are added, the page
shows it as open. No subscriber is notified. Webhook endpoints get the events of each incident. If it is interrupted, run it
again: it continues where it stopped.`,
  ],
  examples: ['upv import incidents --source statuspage'],
  async run(call) {
    const { incidents: path = INCIDENTS_FILE, source, json } = call.options
    if (source === undefined) throw new CommandError(2, 'give --source, as in upvane.yaml.')
    const listed = readIncidentsFile(path, parseJson(path, await readText(path)))
    const upvane = await openClient(call, {
      onRateLimitWait: (waitMs) =>
        note(`upv: waiting ${Math.ceil(waitMs / 1000)} s for the rate limit.`),
    })
    const counts = { added: 0, continued: 0, there: 0 }
    for (const [key, past] of Map.groupBy(listed, ({ page }) => page)) {
      const page = await findPage(upvane, source, key)
      const known = await readKnown(upvane, page)
      const history = new History(upvane, page)
      for (const incident of past) counts[await history.add(incident, known)] += 1
      if (history.unknown.size > 0)
        note(
          `upv: ${clean(page.name)} has no single component named ${clean([...history.unknown].join(', '))}: updates are added without.`,
        )
    }
    if (json) print(toSafeJson(counts))
    else {
      const rest = counts.continued > 0 ? `, ${counts.continued} completed` : ''
      print(`${counts.added} incidents added${rest}, ${counts.there} were there already.`)
    }
  },
})

async function findPage(upvane: Upvane, source: string, key: string): Promise<StatusPage> {
  const { bindings } = await upvane.ext.sources.bindings(source)
  const id = bindings.find(({ address }) => address === `statusPages.${key}`)?.id ?? undefined
  if (id === undefined)
    throw new CommandError(
      1,
      `${clean(source)} has no statusPages.${clean(key)}. Run "upv apply" first.`,
    )
  return upvane.statusPages.get(id)
}

/** An incident of the old tool has no id here: its beginning and title tell it apart. */
const nameOf = ({ title, startedAt }: Pick<StatusIncident, 'title' | 'startedAt'>): string =>
  JSON.stringify([title, new Date(startedAt).toISOString()])

async function readKnown(upvane: Upvane, page: StatusPage): Promise<Map<string, StatusIncident>> {
  const known = new Map<string, StatusIncident>()
  for await (const incident of upvane.statusIncidents.list({ statusPageId: page.id }))
    known.set(nameOf(incident), incident)
  return known
}

function missingOf(past: PastIncident, before: StatusIncident | undefined): PastUpdate[] {
  const done = new Set(before?.updates.map(({ createdAt }) => new Date(createdAt).getTime()))
  return past.updates.filter(({ createdAt }) => !done.has(Date.parse(createdAt)))
}

class History {
  /** Names that no component has, or several. */
  readonly unknown = new Set<string>()
  readonly #upvane: Upvane
  readonly #page: StatusPage
  readonly #components: ReadonlyMap<string, readonly { id: string }[]>

  constructor(upvane: Upvane, page: StatusPage) {
    this.#upvane = upvane
    this.#page = page
    this.#components = Map.groupBy(
      page.sections.flatMap(({ components }) => components),
      ({ name }) => name,
    )
  }

  async add(
    past: PastIncident,
    known: ReadonlyMap<string, StatusIncident>,
  ): Promise<'added' | 'continued' | 'there'> {
    const before = known.get(nameOf(past))
    const missing = missingOf(past, before)
    // The last update of the other tool need not be its end, and this command may have been interrupted.
    const endsOpen = (missing.at(-1)?.status ?? before?.status ?? 'RESOLVED') !== 'RESOLVED'
    if (before !== undefined && missing.length === 0 && !endsOpen) return 'there'
    const { id } = before ?? (await this.#create(past))
    for (const update of missing) await this.#post(id, update)
    if (endsOpen) await this.#resolve(id, past)
    return before === undefined ? 'added' : 'continued'
  }

  #create({ title, impact, startedAt, resolvedAt }: PastIncident) {
    return this.#upvane.statusIncidents.create({
      title,
      impact,
      startedAt,
      status: 'RESOLVED',
      resolvedAt,
      statusPageIds: [this.#page.id],
      notifySubscribers: false,
    })
  }

  #resolve(id: string, { resolvedAt }: PastIncident) {
    return this.#upvane.statusIncidents.update(id, { status: 'RESOLVED', resolvedAt })
  }

  #post(id: string, { status, message, createdAt, components }: PastUpdate) {
    const affected = components.flatMap(({ name, state }) => {
      const [one, ...more] = this.#components.get(name) ?? []
      if (one !== undefined && more.length === 0) return [{ componentId: one.id, state }]
      this.unknown.add(name)
      return []
    })
    return this.#upvane.statusIncidents.addUpdate(id, {
      status,
      message,
      createdAt,
      notifySubscribers: false,
      ...(affected.length > 0 && { components: affected }),
    })
  }
}

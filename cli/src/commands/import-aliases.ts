// `upv import aliases`: lets jobs ping under their old token, and completes the list of their URLs.
import { rename, writeFile } from 'node:fs/promises'
import type { Upvane } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { CommandError, defineCommand } from '../command.ts'
import {
  type ListedHeartbeat,
  readHeartbeatCsv,
  toHeartbeatCsv,
  toSedScript,
} from '../import/common/heartbeat-list.ts'
import { readText } from '../import/common/input.ts'
import { clean, note, print, toSafeJson } from '../terminal/text.ts'

const DEFAULT_FILE = 'old-to-new-heartbeats.csv'
const MAX_AT_ONCE = 100

type CronMonitor = { id: string; name: string; heartbeatUrl: string | null }
type Matched = { heartbeat: ListedHeartbeat; monitor: CronMonitor }

const OPTIONS = {
  heartbeats: {
    value: 'FILE',
    text: `the list that the import has made (${DEFAULT_FILE})`,
    completion: 'file',
  },
  source: {
    value: 'NAME',
    text: 'the source in upvane.yaml; without it, monitors are found by name',
  },
  sed: {
    value: 'FILE',
    text: 'also write a script for sed that changes the URLs',
    completion: 'file',
  },
} as const

export const importAliases = defineCommand({
  name: 'import aliases',
  summary: 'let jobs ping under the tokens of the old tool',
  options: OPTIONS,
  usesApi: true,
  printsJson: true,
  notes: [
    `Run it after "upv apply". It writes the new URL of each job into the list. Jobs of a Healthchecks or an
Uptime Kuma of your own need no change if its address leads to Upvane: see docs/moving.md.`,
  ],
  examples: ['upv import aliases --source uptime-kuma'],
  async run(call) {
    const { heartbeats: path = DEFAULT_FILE, source, sed, json } = call.options
    const listed = readHeartbeatCsv(path, await readText(path))
    const upvane = await openClient(call)
    const { matched, lost } = match(
      listed,
      await readMonitors(upvane),
      await readKeys(upvane, source),
    )
    const prefix = await addAliases(upvane, matched)
    const completed = complete(listed, matched, prefix)
    await writeFile(`${path}.new`, toHeartbeatCsv(completed), { mode: 0o600 })
    await rename(`${path}.new`, path)
    if (sed !== undefined) await writeFile(sed, toSedScript(completed), { mode: 0o600 })
    const aliases = matched.filter(({ heartbeat }) => canBeAlias(heartbeat)).length
    if (json) print(toSafeJson({ prefix, aliases, lost: lost.map(({ name }) => name) }))
    else {
      print(`${aliases} old tokens work below ${prefix}/`)
      print(`${matched.length} of ${listed.length} new URLs are in ${clean(path)}.`)
    }
    const short = listed.filter(isTooShort)
    if (short.length > 0)
      note(
        `Tokens with less than ${MIN_TOKEN} characters get no alias. Change the URLs of: ${namesOf(short)}.`,
      )
    if (lost.length > 0) throw new CommandError(1, `no single monitor fits: ${namesOf(lost)}.`)
  },
})

// The service refuses shorter ones: anyone could guess them.
const MIN_TOKEN = 10
const canBeAlias = ({ token }: ListedHeartbeat): boolean => token.length >= MIN_TOKEN
const isTooShort = ({ token }: ListedHeartbeat): boolean => token !== '' && token.length < MIN_TOKEN

const namesOf = (lost: readonly ListedHeartbeat[]): string =>
  lost
    .slice(0, 20)
    .map(({ name }) => clean(name))
    .join(', ')

async function readMonitors(upvane: Upvane): Promise<CronMonitor[]> {
  const monitors: CronMonitor[] = []
  for await (const { id, name, heartbeatUrl } of upvane.monitors.list({ type: 'CRON' }))
    monitors.push({ id, name, heartbeatUrl })
  return monitors
}

/** Ids of monitors by their key in the file. */
async function readKeys(upvane: Upvane, source: string | undefined): Promise<Map<string, string>> {
  if (source === undefined) return new Map()
  const { bindings } = await upvane.ext.sources.bindings(source)
  return new Map(
    bindings.flatMap(({ address, id }) => (id === null ? [] : [[address, id] as const])),
  )
}

/** By the key of the file, or by a name that only one monitor has. */
export function match(
  listed: readonly ListedHeartbeat[],
  monitors: readonly CronMonitor[],
  keys: ReadonlyMap<string, string>,
): { matched: Matched[]; lost: ListedHeartbeat[] } {
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]))
  const byName = Map.groupBy(monitors, ({ name }) => name)
  const matched: Matched[] = []
  const lost: ListedHeartbeat[] = []
  for (const heartbeat of listed) {
    const bound = byId.get(keys.get(`monitors.${heartbeat.monitor}`) ?? '')
    const named = byName.get(heartbeat.name) ?? []
    const monitor = bound ?? (named.length === 1 ? named[0] : undefined)
    if (monitor === undefined) lost.push(heartbeat)
    else matched.push({ heartbeat, monitor })
  }
  return { matched, lost }
}

/** Returns the address below which old tokens work. */
async function addAliases(upvane: Upvane, matched: readonly Matched[]): Promise<string> {
  const aliases = matched
    .filter(({ heartbeat }) => canBeAlias(heartbeat))
    .map(({ heartbeat, monitor }) => ({ monitorId: monitor.id, token: heartbeat.token }))
  let prefix = ''
  for (let at = 0; at === 0 || at < aliases.length; at += MAX_AT_ONCE) {
    const body = { aliases: aliases.slice(at, at + MAX_AT_ONCE) }
    prefix = (await upvane.ext.monitors.addPingAliases(body)).prefix ?? ''
  }
  return prefix
}

function complete(
  listed: readonly ListedHeartbeat[],
  matched: readonly Matched[],
  prefix: string,
): ListedHeartbeat[] {
  const found = new Map(matched.map(({ heartbeat, monitor }) => [heartbeat, monitor]))
  return listed.map((heartbeat) => {
    const newUrl = found.get(heartbeat)?.heartbeatUrl ?? ''
    const hasAlias = newUrl !== '' && canBeAlias(heartbeat)
    return { ...heartbeat, newUrl, aliasUrl: hasAlias ? `${prefix}/${heartbeat.token}` : '' }
  })
}

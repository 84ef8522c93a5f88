// Every tool that can be imported from: one row each. Reading is apart from mapping, which is pure.
import { CommandError, type Environment } from '../command.ts'
import { mapStack } from './betterstack/map.ts'
import { readStack } from './betterstack/read.ts'
import { readStackApi } from './betterstack/read-api.ts'
import type { Imported } from './common/collector.ts'
import { readCsv } from './common/csv.ts'
import { ApiReader } from './common/fetch-json.ts'
import { isSqlite, parseJson, readText } from './common/input.ts'
import type { MapOptions } from './common/options.ts'
import { checkColumns, mapCsv } from './csv/map.ts'
import { mapGatus } from './gatus/map.ts'
import { mapHealthchecks, readHealthchecks } from './healthchecks/map.ts'
import { mapStatuspage, readStatuspage } from './statuspage/map.ts'
import { readStatuspageApi } from './statuspage/read-api.ts'
import { mapKuma } from './uptime-kuma/map.ts'
import { readKumaBackup } from './uptime-kuma/read-backup.ts'
import { readKumaDatabase } from './uptime-kuma/read-sqlite.ts'
import { mapRobot } from './uptimerobot/map.ts'
import { readRobotCsv, readRobotJson } from './uptimerobot/read.ts'
import { readRobotApi } from './uptimerobot/read-api.ts'

type Mapping = (options: MapOptions) => Imported

type ApiSource = {
  /** Where it is, unless --url says otherwise. */
  base: string
  /** Names of the environment variables it needs. */
  variables: readonly string[]
  read(base: string, values: readonly string[]): Promise<Mapping>
}

export type ImportSource = {
  name: string
  summary: string
  /** What --file takes. */
  file: string
  /** What to look at if a file has no monitors. */
  empty?: string
  readFile(path: string): Promise<Mapping>
  api?: ApiSource
}

// Reading YAML takes a hundred times its size in memory.
const MAX_YAML_BYTES = 5 * 1024 * 1024

const readJson = async (path: string): Promise<unknown> => parseJson(path, await readText(path))

export const IMPORT_SOURCES: readonly ImportSource[] = [
  {
    name: 'uptime-kuma',
    summary: 'make a file from the database of Uptime Kuma',
    file: 'kuma.db of version 1 or 2, or the JSON backup of version 1',
    empty: 'If Uptime Kuma is running, copy kuma.db-wal and kuma.db-shm beside kuma.db too.',
    async readFile(path) {
      const data = (await isSqlite(path))
        ? await readKumaDatabase(path)
        : readKumaBackup(path, await readJson(path))
      return (options) => mapKuma(data, options)
    },
  },
  {
    name: 'uptimerobot',
    summary: 'make a file from UptimeRobot',
    file: 'an answer of its API (version 3), or the CSV of its dashboard',
    async readFile(path) {
      const text = await readText(path)
      const data = /^\s*[[{]/.test(text.slice(0, 1000))
        ? readRobotJson(path, parseJson(path, text))
        : readRobotCsv(path, text)
      return (options) => mapRobot(data, options)
    },
    api: {
      base: 'https://api.uptimerobot.com/v3',
      variables: ['UPTIMEROBOT_API_KEY'],
      async read(base, [key = '']) {
        const data = await readRobotApi(base, key)
        return (options) => mapRobot(data, options)
      },
    },
  },
  {
    name: 'betterstack',
    summary: 'make a file from Better Stack',
    file: 'answers of its API (version 2), one or several in a list',
    async readFile(path) {
      const data = readStack(path, await readJson(path))
      return (options) => mapStack(data, options)
    },
    api: {
      base: 'https://uptime.betterstack.com/api/v2',
      variables: ['BETTERSTACK_API_TOKEN'],
      async read(base, [key = '']) {
        const data = await readStackApi(base, key)
        return (options) => mapStack(data, options)
      },
    },
  },
  {
    name: 'statuspage',
    summary: 'make a file from Atlassian Statuspage',
    file: 'answers of its API in one object: page, components, component_groups, incidents',
    async readFile(path) {
      const data = readStatuspage(path, await readJson(path))
      return (options) => mapStatuspage(data, options)
    },
    api: {
      base: 'https://api.statuspage.io/v1',
      variables: ['STATUSPAGE_API_KEY', 'STATUSPAGE_PAGE_ID'],
      async read(base, [key = '', page = '']) {
        const data = await readStatuspageApi(base, key, page)
        return (options) => mapStatuspage(data, options)
      },
    },
  },
  {
    name: 'healthchecks',
    summary: 'make a file from Healthchecks, hosted or your own',
    file: 'the answer of its API to GET /api/v3/checks/',
    async readFile(path) {
      const checks = readHealthchecks(path, await readJson(path))
      return () => mapHealthchecks(checks)
    },
    api: {
      base: 'https://healthchecks.io/api/v3',
      variables: ['HEALTHCHECKS_API_KEY'],
      async read(base, [key = '']) {
        const api = new ApiReader({ base, headers: { 'X-Api-Key': key } })
        const checks = readHealthchecks('The API', await api.get('checks/'))
        return () => mapHealthchecks(checks)
      },
    },
  },
  {
    name: 'gatus',
    summary: 'make a file from the configuration of Gatus',
    file: 'its config.yaml',
    async readFile(path) {
      // Only here: no other command needs a parser for YAML.
      const { readGatus } = await import('./gatus/read.ts')
      const config = readGatus(path, await readText(path, MAX_YAML_BYTES))
      return (options) => mapGatus(config, options)
    },
  },
  {
    name: 'csv',
    summary: 'make a file from a list of monitors',
    file: 'the CSV export of the list of monitors, or any with a column "name"',
    async readFile(path) {
      const rows = readCsv(path, await readText(path))
      checkColumns(path, rows)
      return () => mapCsv(rows)
    },
  },
]

/** The values of the variables that the API of a source needs. */
export function readAccess({ variables }: ApiSource, env: Environment): string[] {
  const missing = variables.filter((name) => !env[name])
  if (missing.length > 0)
    throw new CommandError(2, `--api needs ${missing.join(' and ')} in the environment.`)
  return variables.map((name) => env[name] ?? '')
}

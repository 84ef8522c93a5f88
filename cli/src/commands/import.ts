// `upv import …`: one command for each tool. They make files, and never write to Upvane.
import { type Command, CommandError, defineCommand, type Values } from '../command.ts'
import type { Imported } from '../import/common/collector.ts'
import { toHeartbeatCsv } from '../import/common/heartbeat-list.ts'
import { type OutputFile, toSecretsFile, writeAll } from '../import/common/output.ts'
import { toIncidentsFile } from '../import/common/past-incident.ts'
import { toReportLines } from '../import/common/report-text.ts'
import { toYaml } from '../import/common/to-yaml.ts'
import { isZone } from '../import/common/zoned-time.ts'
import { IMPORT_SOURCES, type ImportSource, readAccess } from '../import/sources.ts'
import { clean, note, print, toSafeJson } from '../terminal/text.ts'
import { importAliases } from './import-aliases.ts'
import { INCIDENTS_FILE, importIncidents } from './import-incidents.ts'

const SOURCE = /^[a-z0-9][a-z0-9._-]{0,63}$/
const OUTPUT = 'upvane.yaml'
const REPORT = 'import-report.json'
const HEARTBEATS = 'old-to-new-heartbeats.csv'

const OPTIONS = {
  file: { value: 'FILE', short: 'f', text: 'what to read', completion: 'file' },
  api: { text: 'read it by its API' },
  url: { value: 'URL', text: 'address of its API, if it is your own' },
  output: { value: 'FILE', short: 'o', text: `the file to make (${OUTPUT})`, completion: 'file' },
  report: {
    value: 'FILE',
    text: `what became of each item, as JSON (${REPORT})`,
    completion: 'file',
  },
  heartbeats: {
    value: 'FILE',
    text: `the list of jobs that ping (${HEARTBEATS})`,
    completion: 'file',
  },
  incidents: {
    value: 'FILE',
    text: `the past incidents of a status page (${INCIDENTS_FILE})`,
    completion: 'file',
  },
  'secrets-file': {
    value: 'FILE',
    text: 'also write the values of secrets, for your shell',
    completion: 'file',
  },
  source: { value: 'NAME', text: "name of the file's claim (the name of the tool)" },
  timezone: { value: 'ZONE', text: 'of the other tool, where it does not say (yours)' },
  nearest: { text: 'take a PORT monitor for what Upvane does not speak' },
  force: { text: 'overwrite files that exist' },
} as const

type Given = Values<typeof OPTIONS>

function commandOf(source: ImportSource): Command {
  const { name, summary, file, api } = source
  const byApi = api === undefined ? [] : [`--api reads ${api.variables.join(' and ')}.`]
  return defineCommand({
    name: `import ${name}`,
    summary,
    options: OPTIONS,
    printsJson: true,
    notes: [
      `--file takes ${file}.`,
      ...byApi,
      'Nothing is written to Upvane: read the report, then run "upv plan" and "upv apply".',
    ],
    examples: [`upv import ${name} --file ${exampleOf(name)}`],
    async run({ options, env }) {
      const claim = options.source ?? name
      if (!SOURCE.test(claim))
        throw new CommandError(2, '--source has up to 64 of a-z, 0-9, ".", "_" and "-".')
      const map = await readFrom(source, options, env)
      const imported = map({
        now: new Date(),
        timezone: readZone(options.timezone),
        nearest: options.nearest,
      })
      refuseEmpty(source, imported, options.file)
      refuseUntaken(imported)
      const files = outputsOf(imported, claim, options)
      await writeAll(files, options.force)
      if (options.json) print(toSafeJson(imported.report))
      else for (const line of toReportLines(imported.report)) print(clean(line))
      note(`\nWritten: ${files.map(({ path }) => clean(path)).join(', ')}.`)
    },
  })
}

const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ['uptime-kuma', 'kuma.db'],
  ['gatus', 'config.yaml'],
  ['csv', 'monitors.csv'],
])
const exampleOf = (name: string): string => EXAMPLES.get(name) ?? `${name}.json`

async function readFrom(
  { readFile, api, name }: ImportSource,
  { file, api: byApi, url }: Given,
  env: Readonly<Record<string, string | undefined>>,
) {
  if ((file === undefined) === !byApi) throw new CommandError(2, 'give either --file or --api.')
  if (file !== undefined) return readFile(file)
  if (api === undefined)
    throw new CommandError(2, `${name} is read from a file. See "upv help import ${name}".`)
  return api.read(url ?? api.base, readAccess(api, env))
}

/** An export without a single item is most likely the wrong one: nothing is written. */
function refuseEmpty({ name, empty }: ImportSource, { report }: Imported, file?: string): void {
  const { counts } = report
  const watched = ['monitor', 'heartbeat', 'component'].map((kind) => counts[kind]?.total ?? 0)
  if (watched.some((total) => total > 0)) return
  const what = file === undefined ? `The API of ${name}` : clean(file)
  throw new CommandError(1, `${what} has no monitors.${empty === undefined ? '' : ` ${empty}`}`)
}

/** A file without a resource would look like a move that worked. */
function refuseUntaken({ file, report, incidents }: Imported): void {
  if (incidents.length > 0 || [...file.values()].some(({ size }) => size > 0)) return
  for (const line of toReportLines(report)) print(clean(line))
  throw new CommandError(1, 'none of this can be taken to Upvane, so nothing was written.')
}

function readZone(given: string | undefined): string {
  const zone = given ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  if (isZone(zone)) return zone
  throw new CommandError(2, '--timezone must be an IANA name such as Europe/Berlin.')
}

function outputsOf(imported: Imported, source: string, given: Given): OutputFile[] {
  const { file, report, secrets, heartbeats, incidents } = imported
  const head = [
    'yaml-language-server: $schema=./upvane.schema.json',
    `Made by "upv import ${report.from}". Read the report before you apply it.`,
  ]
  const listed = heartbeats.map((move) => ({ ...move, newUrl: '', aliasUrl: '' }))
  const secretsPath = given['secrets-file']
  return [
    { path: given.output ?? OUTPUT, text: toYaml(source, head, file) },
    { path: given.report ?? REPORT, text: `${JSON.stringify(report, null, 2)}\n` },
    ...(listed.length > 0
      ? [
          {
            path: given.heartbeats ?? HEARTBEATS,
            text: toHeartbeatCsv(listed),
            isSecret: true as const,
          },
        ]
      : []),
    ...(incidents.length > 0
      ? [{ path: given.incidents ?? INCIDENTS_FILE, text: toIncidentsFile(incidents) }]
      : []),
    ...(secretsPath === undefined
      ? []
      : [{ path: secretsPath, text: toSecretsFile(secrets), isSecret: true as const }]),
  ]
}

export const IMPORT_COMMANDS: readonly Command[] = [
  ...IMPORT_SOURCES.map(commandOf),
  importAliases,
  importIncidents,
]

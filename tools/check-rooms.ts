// Fails if a file imports from a room that its own room may not import from (CONTRIBUTING.md, "Rooms").
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import rooms from '../rooms.json' with { type: 'json' }
import { type Import, importsOf } from './exports/imports.ts'

type Rule = {
  rooms: string[]
  /** Only types may be imported from these, so nothing of them exists at run time. */
  types?: string[]
  packages: string[]
  /** The room's folders, each with the other folders it may import from; "." is the files next to them. */
  folders?: Record<string, string[]>
  /** In these, a file may import only from its own folder and the folders around it: no screen uses another's parts. */
  apart?: string[]
}

const RULES: Record<string, Rule> = rooms
const FEWEST_FILES = 20
// A folder with more files should be split.
const MOST_FILES_IN_A_FOLDER = 26

// Only these may open sockets directly; everything else uses outbound/ or listens in api/. The bus connects to NATS alone,
// which the operator names.
const SOCKETS = /^node:(net|tls|http|https|http2|dns|dgram)(\/|$)/
const MAY_OPEN_SOCKETS = new Set(['outbound', 'api', 'bus', 'checks', 'platform'])

const files = globSync(['src/*/**/*.ts', 'web/src/**/*.{ts,tsx}']).filter(
  (file) => !file.endsWith('.test.ts'),
)
if (files.length < FEWEST_FILES)
  throw new Error(`Only ${files.length} files seen: the checker is not looking at the house.`)

const faults = [...files.flatMap(faultsOfFile), ...crowdedFolders(), ...blackBoxFaults()]
for (const line of faults) console.error(line)
process.exitCode = faults.length > 0 ? 1 : 0

function faultsOfFile(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [
    ...importsOf(text).flatMap((found) => faultOfImport(file, found)),
    ...clockRead(file, text),
  ]
}

function faultOfImport(file: string, { target, typesOnly }: Import): string[] {
  const room = roomOf(file)
  const rule = RULES[room]
  if (rule === undefined) return [`${file}: room "${room}" is not in rooms.json`]
  if (!target.startsWith('.')) return faultOfPackage(file, room, rule, target)

  const path = normalize(join(dirname(file), target))
  const other = roomOf(path)
  if (other === room) return faultOfFolder(file, path, rule)
  const allowed = typesOnly ? [...rule.rooms, ...(rule.types ?? [])] : rule.rooms
  return allowed.includes(other)
    ? []
    : [`${file}: ${room} may not import from ${other} (${target})`]
}

/** Files next to the folders of a room may import from all of them. */
function faultOfFolder(file: string, target: string, { folders, apart = [] }: Rule): string[] {
  const [own, other] = [folderOf(file), folderOf(target)]
  if (folders === undefined || own === '.') return []
  if (own === other) return apart.includes(own) ? faultOfSibling(file, target) : []
  const allowed = folders[own]
  if (allowed === undefined) return [`${file}: folder "${own}" is not in rooms.json`]
  return allowed.includes(other)
    ? []
    : [`${file}: ${roomOf(file)}/${own} may not import from ${roomOf(file)}/${other}`]
}

/** A screen may use its own folders, and they may use what is beside them. */
function faultOfSibling(file: string, target: string): string[] {
  const [own, other] = [`${dirname(file)}/`, `${dirname(target)}/`]
  return own.startsWith(other) || other.startsWith(own)
    ? []
    : [
        `${file}: may not import from ${dirname(target)}; move what both need to a folder they share`,
      ]
}

function crowdedFolders(): string[] {
  const sizes = Map.groupBy(files, (file) => dirname(file))
  return [...sizes]
    .filter(([, { length }]) => length > MOST_FILES_IN_A_FOLDER)
    .map(([folder, { length }]) => `${folder}: ${length} files; divide it into folders`)
}

function faultOfPackage(file: string, room: string, rule: Rule, target: string): string[] {
  if (SOCKETS.test(target) && !MAY_OPEN_SOCKETS.has(room))
    return [`${file}: ${room} may not open sockets ("${target}"); outbound/ does`]
  return rule.packages.some((allowed) => covers(allowed, target))
    ? []
    : [`${file}: ${room} may not import "${target}"`]
}

// The linter forbids Date.now in domain, but has no rule for `new Date()`.
function clockRead(file: string, text: string): string[] {
  const reads = roomOf(file) === 'domain' && /new Date\(\s*\)/.test(text)
  return reads ? [`${file}: domain may not read the clock; take "now" as an argument`] : []
}

/** Black-box suites may import the test kit and the tools, never the source. */
function blackBoxFaults(): string[] {
  return globSync('test/{contract,e2e,fault,fuzz,hostile,web}/**/*.ts').flatMap((file) =>
    importsOf(readFileSync(file, 'utf8'))
      .filter(({ target }) => /(^|\/)src\//.test(target))
      .map(({ target }) => `${file}: black-box tests may not import ${target}`),
  )
}

// "node:" covers every Node module; "pg" covers "pg" and "pg/lib", but not "pg-boss".
function covers(allowed: string, target: string): boolean {
  return target === allowed || target.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`)
}

function folderOf(file: string): string {
  const [, , folder = '', ...rest] = file.split('/')
  return rest.length === 0 ? '.' : folder
}

/** The dashboard is one room, regardless of its folders. */
function roomOf(file: string): string {
  const [top, room = ''] = file.split('/')
  return top === 'web' ? 'web' : room
}

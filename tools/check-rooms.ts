// Fails when a file imports from a room its own room may not enter (CONTRIBUTING.md, "Rooms").
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import rooms from '../rooms.json' with { type: 'json' }

/** Of the rooms in `types` only types may be taken: nothing of them is there when the program runs. */
type Rule = { rooms: string[]; types?: string[]; packages: string[] }

const RULES: Record<string, Rule> = rooms
const FEWEST_FILES = 20
const IMPORT =
  /^(?:import|export)\b[^'"]*?\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
const TYPE_IMPORT = /^(?:import|export) type\b/

// Only these may touch the network directly; everything else goes through outbound/ or listens in api/.
const SOCKETS = /^node:(net|tls|http|https|http2|dns|dgram)(\/|$)/
const MAY_OPEN_SOCKETS = new Set(['outbound', 'api', 'checks', 'platform'])

const files = globSync(['src/*/**/*.ts', 'web/src/**/*.{ts,tsx}']).filter(
  (file) => !file.endsWith('.test.ts'),
)
if (files.length < FEWEST_FILES)
  throw new Error(`Only ${files.length} files seen: the checker is not looking at the house.`)

const faults = [...files.flatMap(faultsOfFile), ...blackBoxFaults()]
for (const line of faults) console.error(line)
process.exitCode = faults.length > 0 ? 1 : 0

function faultsOfFile(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [
    ...importsOf(text).flatMap((found) => faultOfImport(file, found)),
    ...clockRead(file, text),
  ]
}

type Import = { target: string; typesOnly: boolean }

function importsOf(text: string): Import[] {
  return [...text.matchAll(IMPORT)].map((match) => ({
    target: match[1] ?? match[2] ?? match[3] ?? '',
    typesOnly: TYPE_IMPORT.test(match[0]),
  }))
}

function faultOfImport(file: string, { target, typesOnly }: Import): string[] {
  const room = roomOf(file)
  const rule = RULES[room]
  if (rule === undefined) return [`${file}: room "${room}" is not in rooms.json`]
  if (!target.startsWith('.')) return faultOfPackage(file, room, rule, target)

  const other = roomOf(normalize(join(dirname(file), target)))
  const allowed = typesOnly ? [...rule.rooms, ...(rule.types ?? [])] : rule.rooms
  return other === room || allowed.includes(other)
    ? []
    : [`${file}: ${room} may not import from ${other} (${target})`]
}

function faultOfPackage(file: string, room: string, rule: Rule, target: string): string[] {
  if (SOCKETS.test(target) && !MAY_OPEN_SOCKETS.has(room))
    return [`${file}: ${room} may not open sockets ("${target}"); outbound/ does`]
  return rule.packages.some((allowed) => covers(allowed, target))
    ? []
    : [`${file}: ${room} may not import "${target}"`]
}

// The linter forbids Date.now in domain, but has no rule for the same reading by constructor.
function clockRead(file: string, text: string): string[] {
  const reads = roomOf(file) === 'domain' && /new Date\(\s*\)/.test(text)
  return reads ? [`${file}: domain may not read the clock; take "now" as an argument`] : []
}

/** Black-box suites may know the test kit and the tools, never the source. */
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

/** The dashboard is one room, however it is divided inside. */
function roomOf(file: string): string {
  const [top, room = ''] = file.split('/')
  return top === 'web' ? 'web' : room
}

// Finds and reads the configuration file.
import { existsSync, readFileSync, statSync } from 'node:fs'
import nodeModule from 'node:module'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError, type Environment } from '../../command.ts'
import type { JsonValue } from '../model/json.ts'
import { type Configuration, readConfiguration, type UnsetVariables } from './configuration.ts'
import { type ParsedFile, parseYaml, printProblems } from './parse-yaml.ts'

const NAMES = ['upvane.yaml', 'upvane.yml', 'upvane.json', 'upvane.config.ts']
const PROGRAMS = ['.ts', '.mts', '.js', '.mjs']
const MAX_BYTES = 20_000_000
const MAX_SHOWN = 50

/** Whether a program is run that is found, and not named. */
type Programs = 'RUN' | 'RUN_IF_NAMED'
type Loading = { programs?: Programs; variables?: UnsetVariables }
/** `unset`: names of variables. None unless that is allowed. */
type LoadedFile = { file: string; configuration: Configuration; unset: string[] }

/** Every problem of the file is one line of the error, with its position. */
export async function loadConfiguration(
  given: string | undefined,
  env: Environment,
  { programs = 'RUN', variables = 'REFUSE' }: Loading = {},
): Promise<LoadedFile> {
  const file = given ?? findFile(programs)
  const parsed = await parseFile(file)
  const read =
    parsed.syntax.length > 0 ? undefined : readConfiguration(parsed.value, env, variables)
  if (read?.configuration !== undefined) {
    const { configuration, unset } = read
    return { file, configuration, unset }
  }
  const lines = printProblems(file, parsed, read?.problems ?? [])
  const shown = lines.slice(0, MAX_SHOWN)
  const more = lines.length > MAX_SHOWN ? [`and ${lines.length - MAX_SHOWN} more`] : []
  const count = lines.length === 1 ? 'a problem' : `${lines.length} problems`
  throw new CommandError(2, [`the file has ${count}:`, ...shown, ...more].join('\n'))
}

/** Of the folder. */
function findFile(programs: Programs): string {
  const file = NAMES.find((name) => existsSync(name))
  if (file === undefined)
    throw new CommandError(2, `there is none of ${NAMES.join(', ')} here. Pass -f FILE.`)
  if (programs === 'RUN' || !isProgram(file)) return file
  throw new CommandError(
    2,
    `${file} is a program, and checking it runs it. If you trust it, pass -f ${file}.`,
  )
}

const isProgram = (file: string): boolean => PROGRAMS.includes(extname(file))

async function parseFile(file: string): Promise<ParsedFile> {
  if (!existsSync(file)) throw new CommandError(2, `${file} does not exist.`)
  if (statSync(file).size > MAX_BYTES) throw new CommandError(2, `${file} is too large.`)
  if (!isProgram(file)) return parseYaml(readFileSync(file, 'utf8'))
  return { value: await runProgram(file), locate: () => undefined, syntax: [] }
}

async function runProgram(file: string): Promise<JsonValue> {
  try {
    findPackageOf(file)
    const module = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown }
    // Undefined fields go away, and a Date becomes a time.
    return JSON.parse(JSON.stringify(module.default ?? null)) as JsonValue
  } catch (error) {
    throw new CommandError(
      2,
      `${file} cannot be run: ${error instanceof Error ? error.message : error}`,
    )
  }
}

const OWN_NAME = '@upvane/cli'

/** A program imports `defineConfig` from this package, which a global installation hides from the project. */
function findPackageOf(file: string): void {
  const { registerHooks } = nodeModule as Partial<typeof nodeModule>
  // Node before 22.15 has none.
  if (registerHooks === undefined) return
  const program = pathToFileURL(resolve(file)).href
  const own = import.meta.resolve(OWN_NAME)
  registerHooks({
    resolve(specifier, context, nextResolve) {
      try {
        return nextResolve(specifier, context)
      } catch (error) {
        if (specifier !== OWN_NAME || context.parentURL !== program) throw error
        return { url: own, shortCircuit: true }
      }
    },
  })
}

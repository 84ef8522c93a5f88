// Reads the exports and imports of each module.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type Import, importsOf } from './imports.ts'

export type Module = {
  file: string
  /** Maps each exported name to whether it is a type. */
  exports: Map<string, boolean>
  /** `from` is a path in the project; package imports are left out. */
  imports: { from: string; names: string[] }[]
}

/** Represents every name of a module. */
export const ALL = '*'

const FILES = [
  '{src,tools,test,benchmarks,sdk,cli}/**/*.ts',
  'web/src/**/*.{ts,tsx}',
  'web/*.ts',
  'docs/samples/**/*.ts',
]
const DECLARATION =
  /^export (?:declare )?(?:async )?(?:abstract )?(type|interface|class|function\*?|const|let|enum) ([A-Za-z0-9_$]+)/gm
const LIST = /^export (type )?\{([^}]*)\}/gm

export function readModules(): Map<string, Module> {
  const texts = readSources()
  return new Map([...texts].map(([file, text]) => [file, readModule(file, text)]))
}

/** The text of every source, by its path. */
export function readSources(): Map<string, string> {
  const files = globSync(FILES, {
    // A declaration describes a script, which is imported by its own name.
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.d.ts'],
  })
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

export function readModule(file: string, text: string): Module {
  const imports = importsOf(text)
    .filter(({ target }) => target.startsWith('.'))
    .map((found) => ({
      from: normalize(join(dirname(file), found.target)),
      names: importedBy(found),
    }))
  return { file, exports: exportsOf(text), imports }
}

function exportsOf(text: string): Map<string, boolean> {
  const declared = [...text.matchAll(DECLARATION)].map(
    ([, kind = '', name = '']) => [name, kind === 'type' || kind === 'interface'] as const,
  )
  const listed = [...text.matchAll(LIST)].flatMap(([, type, list = '']) =>
    namesOf(list).map(({ as, isType }) => [as, isType || type !== undefined] as const),
  )
  return new Map([...declared, ...listed])
}

function importedBy({ what, isDynamic }: Import): string[] {
  if (what === undefined) return [ALL]
  if (isDynamic) return namesOf(what.replaceAll(':', ' as ')).map(nameOf)
  const list = /\{([^}]*)\}/.exec(what)?.[1] ?? ''
  const whole = what.includes('*') ? [ALL] : []
  const standard = /^[A-Za-z_$]/.test(what) ? ['default'] : []
  return [...namesOf(list).map(nameOf), ...whole, ...standard]
}

type Name = { name: string; as: string; isType: boolean }

function namesOf(list: string): Name[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', as = name] = part.replace(/^type /, '').split(/\s+as\s+/)
      return { name, as, isType: part.startsWith('type ') }
    })
}

const nameOf = ({ name }: Name) => name

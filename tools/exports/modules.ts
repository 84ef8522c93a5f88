// Reads the exports and imports of each module. Uses patterns instead of a compiler, because the formatter keeps them
// in a few shapes.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

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
// `import a, { b } from './c'`, `export { d } from './e'`, `export * from './f'`.
const FROM = /^(?:import|export) (?:type )?([^'";]*?) ?from '(\.[^']+)'/gm
const DYNAMIC = /(?:const \{([^}]*)\} = await )?\bimport\('(\.[^']+)'\)/g

export function readModules(): Map<string, Module> {
  const files = globSync(FILES, {
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  return new Map(files.map((file) => [file, readModule(file, readFileSync(file, 'utf8'))]))
}

export function readModule(file: string, text: string): Module {
  const at = (target: string) => normalize(join(dirname(file), target))
  const fixed = [...text.matchAll(FROM)].map(([, what = '', from = '']) => ({
    from: at(from),
    names: importedBy(what),
  }))
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, list, from = '']) => ({
    from: at(from),
    names: list === undefined ? [ALL] : namesOf(list.replaceAll(':', ' as ')).map(nameOf),
  }))
  return { file, exports: exportsOf(text), imports: [...fixed, ...dynamic] }
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

function importedBy(what: string): string[] {
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

// Reads the imports of a source. Uses patterns instead of a compiler, because the formatter keeps them in a few shapes.

export type Import = {
  /** A package, or a path relative to the file. */
  target: string
  /** What is between "import" and "from", or what a dynamic import is destructured into. */
  what?: string
  isDynamic: boolean
  /** Nothing of it exists at run time. */
  typesOnly: boolean
}

// `import a, { b } from './c'`, `export { d } from './e'`, `export * from './f'`. A declaration has one of =;() first.
const FROM = /^(?:import|export)\s+(type\s+)?([^'"=;()]*?)\s*\bfrom\s+['"]([^'"]+)['"]/gm
const BARE = /^import\s+['"]([^'"]+)['"]/gm
const DYNAMIC = /(?:const \{([^}]*)\} = await )?\bimport\(\s*['"]([^'"]+)['"]/g

export function importsOf(text: string): Import[] {
  const fixed = [...text.matchAll(FROM)].map(([, type, what = '', target = '']) => ({
    target,
    what,
    isDynamic: false,
    typesOnly: type !== undefined,
  }))
  const bare = [...text.matchAll(BARE)].map(([, target = '']) => ({
    target,
    what: '',
    isDynamic: false,
    typesOnly: false,
  }))
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, what, target = '']) => ({
    target,
    ...(what !== undefined && { what }),
    isDynamic: true,
    typesOnly: false,
  }))
  return [...fixed, ...bare, ...dynamic]
}

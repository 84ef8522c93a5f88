// Finds exports that no other file imports.
import { ALL, type Module } from './modules.ts'

// External code imports from these, and the last two only quote exports.
const PUBLIC =
  /^(sdk\/src\/|cli\/src\/config\.ts|docs\/samples\/|web\/vite\.config\.ts|test\/contract\/generators\/|tools\/exports\/exports\.test\.ts|sdk\/make-events\.ts)/

export function findUnused(modules: ReadonlyMap<string, Module>): Map<string, string> {
  const used = usedNames(modules)
  const unused = [...modules.values()].flatMap(({ file, exports }) => {
    const names = used.get(file) ?? new Set()
    const isUsed = (name: string) => names.has(ALL) || names.has(name)
    return PUBLIC.test(file)
      ? []
      : [...exports.keys()].filter((name) => !isUsed(name)).map((name) => ({ file, name }))
  })
  return new Map(
    unused.map(({ file, name }) => [`${file} ${name}`, `${file}: nobody imports "${name}"`]),
  )
}

function usedNames(modules: ReadonlyMap<string, Module>): Map<string, Set<string>> {
  const imports = [...modules.values()].flatMap((module) => module.imports)
  const byFile = Map.groupBy(imports, ({ from }) => from)
  return new Map(
    [...byFile].map(([file, some]) => [file, new Set(some.flatMap(({ names }) => names))]),
  )
}

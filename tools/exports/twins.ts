// Finds exported types with the same name in two files: a reader of one would think of the other.
import type { Module } from './modules.ts'

/** The service and its dashboard are read together; the SDK and the CLI are separate packages. */
const READ_TOGETHER = /^(src|web\/src)\/(?!.*\.test\.tsx?$)/

export function findTwins(modules: ReadonlyMap<string, Module>): Map<string, string> {
  const types = [...modules.values()]
    .filter(({ file }) => READ_TOGETHER.test(file))
    .flatMap(({ file, exports }) =>
      [...exports].filter(([, isType]) => isType).map(([name]) => ({ name, file })),
    )
  const twins = [...Map.groupBy(types, ({ name }) => name)].filter(([, same]) => same.length > 1)
  return new Map(
    twins.map(([name, same]) => {
      const files = same.map(({ file }) => file).toSorted()
      return [name, `type "${name}" is exported by ${files.join(' and ')}`]
    }),
  )
}

// Finds circular imports, direct or indirect, including type imports.
import type { Module } from './modules.ts'

/** One finding per cycle, named by its files. */
export function findCircles(modules: ReadonlyMap<string, Module>): Map<string, string> {
  const circles = stronglyConnected(modules).filter(({ length }) => length > 1)
  return new Map(
    circles.map((files) => {
      const key = files.toSorted().join(' ')
      return [key, `these files import each other: ${files.toSorted().join(', ')}`]
    }),
  )
}

type Mark = { index: number; low: number; isOpen: boolean }

/** Tarjan's algorithm. The recursion depth is bounded by the longest import chain. */
function stronglyConnected(modules: ReadonlyMap<string, Module>): string[][] {
  const marks = new Map<string, Mark>()
  const open: string[] = []
  const groups: string[][] = []
  const visit = (file: string): Mark => {
    const mark: Mark = { index: marks.size, low: marks.size, isOpen: true }
    marks.set(file, mark)
    open.push(file)
    for (const { from } of modules.get(file)?.imports ?? []) {
      if (!modules.has(from)) continue
      const other = marks.get(from) ?? visit(from)
      if (other.isOpen) mark.low = Math.min(mark.low, other.low)
    }
    if (mark.low === mark.index) groups.push(close(file))
    return mark
  }
  const close = (file: string): string[] => {
    const group = open.splice(open.indexOf(file))
    for (const one of group) marks.set(one, { ...(marks.get(one) as Mark), isOpen: false })
    return group
  }
  for (const file of modules.keys()) if (!marks.has(file)) visit(file)
  return groups
}

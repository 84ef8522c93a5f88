// Fails on exports that no other file imports, on two exported types with the same name, and on circular imports, types
// included. An "export" makes the reader look for its users.
import { readFileSync } from 'node:fs'
import { findCircles } from './exports/circles.ts'
import { readModules } from './exports/modules.ts'
import { findTwins } from './exports/twins.ts'
import { findUnused } from './exports/unused.ts'

type Exceptions = { unused: string[]; twins: string[]; circles: string[] }

const FEWEST_FILES = 500

const modules = readModules()
if (modules.size < FEWEST_FILES)
  throw new Error(`Only ${modules.size} files seen: the checker is not looking at the project.`)

const exceptions = JSON.parse(readFileSync('tools/exports/exceptions.json', 'utf8')) as Exceptions
const faults = [
  ...report(findUnused(modules), exceptions.unused),
  ...report(findTwins(modules), exceptions.twins),
  ...report(findCircles(modules), exceptions.circles),
]
for (const line of faults) console.error(line)
process.exitCode = faults.length > 0 ? 1 : 0

/** Findings without exceptions, and exceptions that are no longer needed. */
function report(findings: ReadonlyMap<string, string>, allowed: readonly string[]): string[] {
  const found = [...findings].filter(([key]) => !allowed.includes(key)).map(([, text]) => text)
  const stale = allowed.filter((key) => !findings.has(key))
  return [...found, ...stale.map((key) => `${key}: exception is no longer needed`)]
}

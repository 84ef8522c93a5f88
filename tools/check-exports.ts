// Fails when something is exported that no other file imports, when two exported types share a name, and when files import
// each other in a circle, types included. A newcomer who reads "export" looks for the other side of it.
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

/** Findings without their exceptions, and exceptions that are no longer needed. */
function report(findings: ReadonlyMap<string, string>, allowed: readonly string[]): string[] {
  const found = [...findings].filter(([key]) => !allowed.includes(key)).map(([, text]) => text)
  const stale = allowed.filter((key) => !findings.has(key))
  return [...found, ...stale.map((key) => `${key}: exception is no longer needed`)]
}

// Fails if a regular expression of the product could take more than linear time. Proofs take minutes, so they are
// stored in tools/regex/verdicts.json; `--update` proves new patterns.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPatterns } from './regex/find-patterns.ts'
import { excusedBy, judgePatterns, type Rules, type Verdicts } from './regex/judge-patterns.ts'

const FEWEST_PATTERNS = 100
const VERDICTS = join(import.meta.dirname, 'regex/verdicts.json')
const RULES = join(import.meta.dirname, 'regex/rules.json')

const patterns = findPatterns()
if (patterns.found.length < FEWEST_PATTERNS)
  throw new Error(`Only ${patterns.found.length} regular expressions found: the search is broken.`)
const rules: Rules = readJson(RULES)
if (process.argv.includes('--update')) await update()

const faults = judgePatterns(patterns, readJson(VERDICTS), rules)
for (const fault of faults) console.error(fault)
// The analyzer's process keeps running, so exit explicitly.
process.exit(faults.length > 0 ? 1 : 0)

async function update(): Promise<void> {
  const { analyze } = await import('./regex/analyze.ts')
  const known: Verdicts = readJson(VERDICTS)
  const excused = excusedBy(rules)
  const examples = rules.computed.map(({ example }) => example)
  const all = [...new Set([...patterns.found.map(({ pattern }) => pattern), ...examples])]
  const verdicts: Record<string, string> = {}
  for (const pattern of all.filter((one) => !excused.has(one)).toSorted()) {
    const verdict = known[pattern]
    const { isSafe, summary } =
      verdict === undefined ? await analyze(pattern) : { isSafe: true, summary: verdict }
    if (isSafe) verdicts[pattern] = summary
    else console.error(`${pattern}\n  ${summary}`)
  }
  writeFileSync(VERDICTS, `${JSON.stringify(verdicts, null, 2)}\n`)
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}

// What a test run proves about a removed guard. Only a failed assertion counts: a file that does not load, a product
// that does not start or responds with 500, a hook, a crash or a timeout prove nothing.
import { run } from 'node:test'

/** `unclear` is a failure that proves nothing, with its message. */
export type Judgement = { noticedBy: string } | { unclear: string } | 'unnoticed'
type Failure = { test: string; kind: string; error: unknown }
type Run = { passed: number; failures: Failure[] }
type Tests = { cwd: string; files: readonly string[]; only?: string }

const TIMEOUT_MS = 300_000

export async function runTests({ cwd, files, only }: Tests): Promise<Run> {
  const outcome: Run = { passed: 0, failures: [] }
  const events = run({
    cwd,
    files: [...files],
    timeout: TIMEOUT_MS,
    ...(only !== undefined && { testNamePatterns: only }),
  })
  events.on('test:pass', ({ name, skip, details }) => {
    // A file in which no test was selected is reported as a test that passed.
    if (skip === undefined && details.type === 'test' && !files.includes(name)) outcome.passed++
  })
  events.on('test:fail', ({ name, details: { error } }) => {
    outcome.failures.push({ test: name, kind: kindOf(error), error: error.cause })
  })
  for await (const _ of events);
  return outcome
}

export function judge({ passed, failures }: Run): Judgement {
  const spoken = failures.find(isAssertion)
  if (spoken) return { noticedBy: spoken.test }
  const [first] = failures
  if (first) return { unclear: `${first.test}: ${first.kind}: ${textOf(first.error)}` }
  return passed === 0 ? { unclear: 'No test ran.' } : 'unnoticed'
}

/** A response of 500 is asserted too, but then the product broke; it does not show that the guard was missed. */
function isAssertion({ kind, error }: Failure): boolean {
  if (kind !== 'testCodeFailure' || !(error instanceof Error)) return false
  const isAsserted = 'code' in error && error.code === 'ERR_ASSERTION'
  return isAsserted && !error.message.includes('internal_error')
}

function kindOf(error: Error): string {
  return 'failureType' in error ? String(error.failureType) : error.name
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

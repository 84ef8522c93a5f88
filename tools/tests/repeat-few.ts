// Runs the few files that failed once more, each on its own: docs/decisions/0016.
import { type Done, describeStall } from './report.ts'
import { type RunOptions, runAll } from './run-all.ts'
import type { FileResult } from './run-task.ts'

// More failures than this are not a coincidence, unless the machine stood still meanwhile.
const MAX_REPEATED = 5
const MAX_REPEATED_AFTER_STALLS = 15

/** Marks those that pass now as good, and returns their names. */
export async function repeatFew(done: readonly Done[], options: RunOptions): Promise<string[]> {
  const failed = done.filter(({ task, result }) => !result.isGood && task.suite !== 'unit')
  const flaky: string[] = []
  const stalled = failed.filter(({ result }) => result.stalledMs > 0)
  const others = failed.length - stalled.length
  const isTooMany = others > MAX_REPEATED || failed.length > MAX_REPEATED_AFTER_STALLS
  if (isTooMany || options.stopping.aborted) return flaky
  for (const { task, result } of failed) {
    const failing = result.files.filter((each) => each.failed > 0).map(({ file }) => file)
    const some = task.files.filter((file) => failing.includes(file))
    const files = some.length > 0 ? some : task.files
    const why = result.stalledMs > 0 ? `: ${describeStall(result)}` : ''
    console.log(`\n== failed${why}, and now repeated alone: ${files.join(', ')}`)
    const [again] = await runAll([{ ...task, files }], options)
    if (!again?.result.isGood) continue
    result.isGood = true
    result.files = withRepeated(result.files, again.result.files)
    flaky.push(...files)
  }
  return flaky
}

/** What the repeated files counted then replaces what they counted before. */
export function withRepeated(
  before: readonly FileResult[],
  again: readonly FileResult[],
): FileResult[] {
  const repeated = new Set(again.map(({ file }) => file))
  return [...before.filter(({ file, failed }) => failed === 0 && !repeated.has(file)), ...again]
}

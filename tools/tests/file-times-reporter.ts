// A reporter for node --test: one JSON line for each file, with its counts and how long its tests took. Several files can
// share a process, so the runner cannot measure them from outside.

import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

type FileResult = { file: string; passed: number; failed: number; skipped: number; ms: number }

// Node loads a reporter by its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* reportFiles(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const files = new Map<string, FileResult>()
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const file = relative(process.cwd(), data.file ?? '')
    const result = files.get(file) ?? { file, passed: 0, failed: 0, skipped: 0, ms: 0 }
    files.set(file, result)
    if (data.nesting === 0) result.ms += data.details.duration_ms
    if (data.details.type === 'suite') continue
    if (data.skip !== undefined && data.skip !== false) result.skipped += 1
    else if (type === 'test:pass') result.passed += 1
    else result.failed += 1
  }
  for (const result of files.values()) yield `${JSON.stringify(result)}\n`
}

// The response of an operation that returns a file.
import type { BaseOperation } from '../../../contract/operation.ts'
import { type CsvCell, toCsvHead, toCsvLine } from '../../../domain/values/csv.ts'
import type { StreamResponse } from './stream-response.ts'

export const isFile = ({ reply }: BaseOperation): boolean =>
  reply.columns !== undefined || reply.types !== undefined

/** Safe because the handler of an operation with columns returns rows, and of one with types its lines. */
export function toFile({ reply: { columns } }: BaseOperation, output: unknown): StreamResponse {
  const type = columns ? 'text/csv; charset=utf-8' : 'application/x-ndjson'
  const chunks = columns
    ? toLines(columns, output as AsyncIterable<CsvCell[][]>)
    : (output as AsyncIterable<string>)
  return { status: 200, headers: { 'Content-Type': type }, chunks }
}

async function* toLines(columns: readonly string[], batches: AsyncIterable<CsvCell[][]>) {
  yield toCsvHead(columns)
  for await (const rows of batches) yield rows.map(toCsvLine).join('')
}

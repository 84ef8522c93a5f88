// The lines of a move's file. The last one has the number of rows and the checksum of all lines before it.
import { createHash } from 'node:crypto'
import {
  type MovedRow,
  type MoveEnd,
  type MoveManifest,
  parseMoveLine,
  toEndLine,
  toRowLine,
  toTableLine,
} from '../../domain/operating/organization-move.ts'
import { MoveInError } from '../../store/operating/move-in-error.ts'

// Larger than any row: responses that are stored for replays have at most 2 MiB, and bytes are written as hex.
const MAX_LINE_BYTES = 32 * 1024 * 1024
const NEWLINE = 10

type Tables = AsyncIterable<{ name: string; rows: AsyncIterable<MovedRow[]> }>

/** `onRows` is called with the size of each batch. */
export async function* toLines(
  manifest: MoveManifest,
  tables: Tables,
  onRows: (count: number) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let written = 0
  const toBytes = (lines: readonly string[]) => {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    hash.update(bytes)
    return bytes
  }
  yield toBytes([JSON.stringify(manifest)])
  for await (const { name, rows } of tables) {
    yield toBytes([toTableLine(name)])
    for await (const batch of rows) {
      written += batch.length
      onRows(batch.length)
      yield toBytes(batch.map(toRowLine))
    }
  }
  yield Buffer.from(`${toEndLine({ rows: written, sha256: hash.digest('hex') })}\n`)
}

/** Lines without the last, which must match them. Read it to its end: only then everything is there and unchanged. */
export async function* readLines(plain: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let rows = 0
  let end: MoveEnd | undefined
  for await (const line of splitLines(plain)) {
    if (end !== undefined) throw new MoveInError('The file continues after its end.')
    const parsed = line.startsWith('E\t') ? parseMoveLine(line) : undefined
    if (parsed?.kind === 'END') {
      end = parsed.end
      continue
    }
    hash.update(`${line}\n`)
    if (line.startsWith('R\t')) rows += 1
    yield line
  }
  if (end === undefined || end.rows !== rows || end.sha256 !== hash.digest('hex'))
    throw new MoveInError('The file is incomplete: its checksum does not match.')
}

async function* splitLines(plain: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = []
  let waiting = 0
  for await (const chunk of plain) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, at)]).toString()
      pieces = []
      waiting = 0
      from = at + 1
    }
    pieces.push(chunk.subarray(from))
    waiting += chunk.length - from
    if (waiting > MAX_LINE_BYTES) throw new MoveInError('A line of the file is too long.')
  }
  if (waiting > 0) throw new MoveInError('The file ends in the middle of a line.')
}

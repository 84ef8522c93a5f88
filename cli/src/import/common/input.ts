// Reads the file of another tool. Nobody has checked it: its size is bounded, and whatever is wrong is said plainly.
import { type FileHandle, open } from 'node:fs/promises'
import { CommandError } from '../../command.ts'
import { shapeOf } from './values.ts'

const MAX_BYTES = 100 * 1024 * 1024
const SQLITE_HEAD = 'SQLite format 3\0'

export async function readText(path: string, maxBytes = MAX_BYTES): Promise<string> {
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    if (size > maxBytes)
      throw new CommandError(1, `${path} is larger than ${maxBytes / 1024 / 1024} MB.`)
    const bytes = await readUpTo(file, maxBytes + 1)
    if (bytes.length > maxBytes) throw new CommandError(1, `${path} grew while it was read.`)
    return decode(path, bytes)
  } finally {
    await file.close()
  }
}

export async function isSqlite(path: string): Promise<boolean> {
  const file = await openFile(path)
  try {
    return (await readUpTo(file, SQLITE_HEAD.length)).toString('latin1') === SQLITE_HEAD
  } finally {
    await file.close()
  }
}

export function parseJson(path: string, text: string): unknown {
  const shape = shapeOf(text)
  if (shape === 'too deep') throw new CommandError(1, `${path} is nested too deeply.`)
  if (shape === 'too large') throw new CommandError(1, `${path} has too many entries.`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CommandError(1, `${path} is not JSON${kindOf(text)}.`)
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'r')
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new CommandError(1, `${path} cannot be read (${code}).`)
  }
  throw new CommandError(1, `${path} is not a file.`)
}

async function readUpTo(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  while (size < maxBytes) {
    const chunk = Buffer.alloc(Math.min(1024 * 1024, maxBytes - size))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, size)
    if (bytesRead === 0) break
    chunks.push(chunk.subarray(0, bytesRead))
    size += bytesRead
  }
  return Buffer.concat(chunks)
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(1, `${path} is not text in UTF-8${kindOf(bytes.toString('latin1'))}.`)
  }
}

/** What it seems to be instead, if that can be said. */
function kindOf(text: string): string {
  if (text.startsWith(SQLITE_HEAD)) return ': it is an SQLite database'
  if (text.startsWith('\u001f\u008b')) return ': it is compressed with gzip'
  if (text.startsWith('PK\u0003\u0004')) return ': it is a ZIP archive'
  if (/^\s*</.test(text.slice(0, 200))) return ': it is a web page'
  return ''
}

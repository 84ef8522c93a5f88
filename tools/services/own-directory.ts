// Directories kept between runs in the temporary folder, where anyone can create files.
import { lstatSync } from 'node:fs'

/** False if it does not exist. The name is guessable, so a directory of another user is not trusted. */
export function isOwnDirectory(path: string, uid: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  if (!stats.isDirectory() || stats.uid !== uid) throw new Error(`${path} belongs to someone else.`)
  return true
}

export function isOneOf(error: unknown, codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

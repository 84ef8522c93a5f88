import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const SUMS = 'SHA256SUMS'

/** Writes checksums in the format of `sha256sum --check`, and returns them. */
export function writeChecksums(directory: string): string {
  const files = readdirSync(directory).filter((file) => file !== SUMS && !file.startsWith('.'))
  const lines = files.toSorted().map((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex')
    return `${hash}  ${file}\n`
  })
  writeFileSync(join(directory, SUMS), lines.join(''))
  return lines.join('').trimEnd()
}

// Releases as the maintainers make them: checksums by sha256sum, signed by the program minisign.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const RELEASED_COMMIT = 'c0ffee'.padEnd(40, '0')

type Keys = { open: string; secret: string }
type Options = { version?: string; secret: string; more?: readonly string[] }

const minisign = (...args: string[]) => execFileSync('minisign', args, { stdio: 'pipe' })

export function makeSigningKeys(directory: string, name: string): Keys {
  const [open, secret] = [join(directory, `${name}.pub`), join(directory, `${name}.key`)]
  minisign('-G', '-W', '-p', open, '-s', secret)
  return { open, secret }
}

export function makeSignedRelease(
  directory: string,
  files: readonly string[],
  { version = '0.2.0', secret, more = [] }: Options,
): void {
  mkdirSync(directory, { recursive: true })
  for (const name of files) writeFileSync(join(directory, name), `${name} of ${version}\n`)
  writeFileSync(
    join(directory, 'SHA256SUMS'),
    execFileSync('sha256sum', [...files], { cwd: directory }),
  )
  const comment = `upvane ${version} ${RELEASED_COMMIT}`
  minisign('-S', '-s', secret, '-m', join(directory, 'SHA256SUMS'), '-t', comment, ...more)
}

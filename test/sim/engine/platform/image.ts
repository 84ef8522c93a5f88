// A migrated database to start simulations from, kept from one run to the next: making it costs five seconds of CPU time.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { readMigrations } from '../../../../src/store/core/migrate.ts'
import { MIGRATIONS } from '../../../../tools/migrated-postgres.ts'
import { isOneOf, isOwnDirectory } from '../../../../tools/services/own-directory.ts'
import { VirtualTime } from './virtual-time.ts'

const PREFIX = 'upvane-sim-image-'
const HASH_CHARACTERS = 12

/** The partitions begin on this day. */
export async function openImage(dayMs: number): Promise<Blob> {
  const { uid } = userInfo()
  const directory = join(tmpdir(), `${PREFIX}${uid}-${digest(dayMs)}`)
  if (!isOwnDirectory(directory, uid)) await keepImage(directory, dayMs)
  return new Blob([readFileSync(join(directory, 'image.tar'))])
}

function digest(dayMs: number): string {
  const hash = createHash('sha256').update(
    `${dayMs} ${import.meta.resolve('@electric-sql/pglite')}`,
  )
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  hash.update(readFileSync(manifest))
  for (const { name, sha256 } of readMigrations(MIGRATIONS)) hash.update(`${name} ${sha256}\n`)
  return hash.digest('hex').slice(0, HASH_CHARACTERS)
}

// Made aside and renamed when complete: two processes may make it at once.
async function keepImage(directory: string, dayMs: number): Promise<void> {
  const draft = mkdtempSync(join(tmpdir(), `${PREFIX}draft-`))
  try {
    writeFileSync(
      join(draft, 'image.tar'),
      Buffer.from(await (await makeImage(dayMs)).arrayBuffer()),
    )
    renameSync(draft, directory)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error
  }
}

async function makeImage(dayMs: number): Promise<Blob> {
  const time = new VirtualTime(dayMs)
  time.install()
  try {
    const pglite = await PGlite.create()
    for (const { text } of readMigrations(MIGRATIONS)) await pglite.exec(text)
    const image = await pglite.dumpDataDir('none')
    await pglite.close()
    return image
  } finally {
    time.uninstall()
  }
}

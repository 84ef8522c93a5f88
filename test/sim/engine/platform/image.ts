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
// Changes with what this file makes of the migrations.
const FORMAT = 2

/** The partitions begin on this day. */
export async function openImage(dayMs: number): Promise<Blob> {
  const { uid } = userInfo()
  const directory = join(tmpdir(), `${PREFIX}${uid}-${digest(dayMs)}`)
  if (!isOwnDirectory(directory, uid)) await keepImage(directory, dayMs)
  return new Blob([readFileSync(join(directory, 'image.tar'))])
}

function digest(dayMs: number): string {
  const hash = createHash('sha256').update(
    `${FORMAT} ${dayMs} ${import.meta.resolve('@electric-sql/pglite')}`,
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
    writeFileSync(join(draft, 'image.tar'), await makeImage(dayMs))
    renameSync(draft, directory)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error
  }
}

const BLOCK_BYTES = 512
const SIZE_AT = 124
const SIZE_CHARACTERS = 12
const NAME_CHARACTERS = 100
// Their numbers are fixed. Nobody connects to them, and they are a third of all files.
const OF_A_TEMPLATE = /^\/?base\/[14]\/\d/

/** The tar archive without the files of the databases template0 and template1. */
function withoutTemplates(tar: Buffer): Buffer {
  const kept: Buffer[] = []
  let at = 0
  while (at < tar.length) {
    const text = (from: number, length: number) =>
      tar.toString('latin1', at + from, at + from + length).replace(/\0.*/s, '')
    const name = text(0, NAME_CHARACTERS)
    if (name === '') break
    const bytes = Number.parseInt(text(SIZE_AT, SIZE_CHARACTERS).trim() || '0', 8)
    const end = at + BLOCK_BYTES * (1 + Math.ceil(bytes / BLOCK_BYTES))
    if (!OF_A_TEMPLATE.test(name)) kept.push(tar.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, tar.subarray(at)])
}

async function makeImage(dayMs: number): Promise<Buffer> {
  const time = new VirtualTime(dayMs)
  time.install()
  try {
    const pglite = await PGlite.create()
    for (const { text } of readMigrations(MIGRATIONS)) await pglite.exec(text)
    // Otherwise every start replays the migrations.
    await pglite.exec('checkpoint')
    const image = await pglite.dumpDataDir('none')
    await pglite.close()
    return withoutTemplates(Buffer.from(await image.arrayBuffer()))
  } finally {
    time.uninstall()
  }
}

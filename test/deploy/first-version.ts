// Version 0.1.0, the first that was released: installed on a machine by the commands of its own document.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EARLIER, isInHistory } from '../fault/upgrade/versions.ts'
import { readBlocks } from './document.ts'
import type { Machine } from './machine.ts'
import { ROOT } from './release.ts'

const COMMIT = EARLIER['0021']
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024

/** A shallow clone has no history. */
export const canInstallFirst = isInHistory(COMMIT)

/**
 * Its document fetches packages and sources, which a machine without network cannot: the packages are there, the sources come
 * from git's history, and its npm packages from the new version's directory. Everything else runs as written.
 */
export async function installFirst(machine: Machine, newDirectory: string): Promise<void> {
  const tar = execFileSync('git', ['archive', '--format=tar', COMMIT], {
    cwd: ROOT,
    maxBuffer: MAX_ARCHIVE_BYTES,
  })
  writeFileSync(join(machine.root, 'root/first.tar'), tar)
  mkdirSync(join(machine.root, 'opt/upvane'))
  await machine.run(`tar -xf first.tar -C /opt/upvane
    cp -a ${newDirectory}/node_modules /opt/upvane/`)
  // The new version needs it no longer.
  cpSync(
    join(ROOT, 'node_modules/typebox'),
    join(machine.root, 'opt/upvane/node_modules/typebox'),
    {
      recursive: true,
    },
  )
  const blocks = readBlocks(join(machine.root, 'opt/upvane/docs/operating.md'))
  const below = (heading: string): string[] =>
    blocks.filter((block) => block.heading === heading).map(({ text }) => text)
  const [fetched = ''] = below('Install on Debian 12')
  const commands = [
    // The last paragraph of the first block: the account and the command.
    fetched.slice(fetched.indexOf('useradd ')),
    ...below('Secrets and the database'),
    ...below('Configure and start'),
  ]
  for (const text of commands) await machine.run(`cd /opt/upvane\n${configured(text)}`)
}

/** "then set BASE_URL", as the document says, and what the test monitors. */
function configured(text: string): string {
  const settings = [
    's|^BASE_URL=.*|BASE_URL=https://upvane.example.com|',
    's|^#*PROBE_ALLOW_CIDRS=.*|PROBE_ALLOW_CIDRS=127.0.0.0/8|',
  ]
  const edit = `sed -i ${settings.map((each) => `-e '${each}'`).join(' ')} /etc/upvane/upvane.env`
  // `curl` asks at once; the unit of 0.1.0 does not wait until the service is ready.
  return text
    .replace(/^cp \S+example\.env .+$/m, `$&\n${edit}`)
    .replace('curl -s ', 'curl -sf --retry 40 --retry-all-errors --retry-delay 1 ')
}

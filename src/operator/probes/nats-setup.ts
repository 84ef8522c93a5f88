// `upvane nats setup`: the two files that make a NATS server and the service trust this installation's keys.
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureAuthority } from '../../actions/probes/bus-authority.ts'
import { natsFiles } from '../../actions/probes/nats-files.ts'
import { listRevokedKeys } from '../../store/operating/probes.ts'
import { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { recordCommand } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { UsageError } from '../cli/flags.ts'

const DEFAULT_DIRECTORY = '/etc/upvane/nats'
const EVERYONE = 0o644
const EVERYONE_MAY_ENTER = 0o755
const OWNER_AND_GROUP = 0o640
// The group of the service's account, as install.sh creates it.
const GROUP = /^upvane:[^:\n]*:(\d{1,10}):/m

export async function setUpNats({ engine, config, flags }: CommandContext) {
  const directory = String(flags['dir'] ?? DEFAULT_DIRECTORY)
  const secrets = new PeopleSecrets(config.masterKeys)
  const files = await engine.transaction(undefined, async (tx) => {
    const seeds = await ensureAuthority(tx, secrets)
    await recordCommand(tx, { action: 'nats setup' })
    return natsFiles(seeds, await listRevokedKeys(tx), tx.now)
  })
  const server = join(directory, 'upvane-auth.conf')
  const service = join(directory, 'upvane.creds')
  try {
    const isNew = mkdirSync(directory, { recursive: true }) !== undefined
    // Also under a umask of 077: NATS and the service run under accounts of their own.
    if (isNew) chmodSync(directory, EVERYONE_MAY_ENTER)
    writeFileSync(server, files.server, { mode: EVERYONE })
    chmodSync(server, EVERYONE)
    writeFileSync(service, files.service, { mode: OWNER_AND_GROUP })
    lendToService(service)
  } catch (error) {
    throw new UsageError(`The files cannot be written: ${(error as Error).message}`)
  }
  return { server, service, next: `Set NATS_CREDS_FILE=${service} and start nats-server with it.` }
}

/** Root writes the file, and the service's account has to read it. */
function lendToService(file: string): void {
  if (process.getuid?.() !== 0) return
  const group = GROUP.exec(readFileSync('/etc/group', 'utf8'))?.[1]
  if (group !== undefined) chownSync(file, 0, Number(group))
  chmodSync(file, OWNER_AND_GROUP)
}

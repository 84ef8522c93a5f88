// `upvane nats setup`: the two files that make a NATS server and the service trust this installation's keys.
import { mkdirSync, writeFileSync } from 'node:fs'
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
const OWNER_AND_GROUP = 0o640

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
    mkdirSync(directory, { recursive: true })
    writeFileSync(server, files.server, { mode: EVERYONE })
    writeFileSync(service, files.service, { mode: OWNER_AND_GROUP })
  } catch (error) {
    throw new UsageError(`The files cannot be written: ${(error as Error).message}`)
  }
  return { server, service, next: `Set NATS_CREDS_FILE=${service} and start nats-server with it.` }
}

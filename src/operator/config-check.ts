// `upvane config check`. Root can read every file, so it also asks for the service's account.
import { spawnSync } from 'node:child_process'
import { ConfigError, listSettings, readConfig } from '../platform/config/config.ts'
import type { CommandContext } from './cli/command.ts'

// As install.sh creates it.
const ACCOUNT = 'upvane'
const NAMED_FILES = ['UPVANE_ENV_FILE', 'NATS_CREDS_FILE', 'NATS_CA_FILE', 'NODE_EXTRA_CA_CERTS']
// Only root reads it, for migrations and backups.
const OWNERS = 'MIGRATE_DATABASE_URL'

export async function checkConfiguration({ environment }: CommandContext) {
  readConfig(environment)
  // Where there is no such account, or no way to become it, this says nothing.
  const problems = process.getuid?.() === 0 && isReadable('/') ? unreadable(environment) : []
  if (problems.length > 0) throw new ConfigError(problems)
  return { configuration: 'sound' }
}

function unreadable(environment: NodeJS.ProcessEnv): string[] {
  const settings = listSettings(environment).filter(({ name }) => name !== OWNERS)
  const variables = [...settings.map(({ name }) => `${name}_FILE`), ...NAMED_FILES]
  return [...new Set(variables)].flatMap((variable) => {
    const file = environment[variable]
    if (file === undefined || file === '' || isReadable(file)) return []
    return [
      `${variable}: the account ${ACCOUNT} cannot read ${file}; run chgrp ${ACCOUNT} and chmod 640 on it`,
    ]
  })
}

/** By the service's account. */
function isReadable(file: string): boolean {
  const account = [`--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--init-groups']
  const { status } = spawnSync('setpriv', [...account, 'test', '-r', file], { stdio: 'ignore' })
  return status === 0
}

// What the operator's page needs besides the database.
import { join } from 'node:path'
import type { InstallationDeps, UpdateCheck } from '../../api/private/installation/installation.ts'
import { readVersion } from '../../domain/values/version.ts'
import { readDiskUse } from '../../engine/self-watch/disk-watch.ts'
import { createOperatorOutbound } from '../../outbound/create-outbound.ts'
import { getText } from '../../outbound/get-text.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Database } from '../../store/core/db.ts'
import type { Context } from '../context.ts'

const ROOT = join(import.meta.dirname, '../../..')
// Without the version: nobody is told what runs here.
const USER_AGENT = 'Upvane/1 (updates)'
const UPDATE_MS = 5_000

type FromProcess = Omit<InstallationDeps, 'config' | 'sendTestEmail'>

export function toInstallation(context: Context, engine: Database): FromProcess {
  const { config, version } = context
  const { databaseDiskPath } = config.selfWatch
  const paths = [ROOT, ...(databaseDiskPath === undefined ? [] : [databaseDiskPath])]
  return {
    version,
    engine,
    readDisks: async () =>
      (await Promise.all(paths.map(readDiskUse))).filter((disk) => disk !== undefined),
    checkForUpdate: createUpdateCheck(context),
  }
}

/** The address is the operator's own, and may be private. At most 4 kB are read, and only a version is used of them. */
function createUpdateCheck({ config }: Context): (() => Promise<UpdateCheck>) | undefined {
  if (config.updateUrl === undefined) return undefined
  const url = new URL(config.updateUrl)
  const { probeDnsServers: dnsServers } = config
  const { guard } = createOperatorOutbound({ dnsServers, userAgent: USER_AGENT })
  return async () => {
    try {
      const { status, text } = await getText(guard, url, UPDATE_MS)
      if (status !== 200) return failed(`UPDATE_URL answered with ${status}, not with 200.`)
      const newest = readVersion(text)
      return newest === undefined
        ? failed('UPDATE_URL did not answer with a version such as 0.2.0.')
        : { newest, problem: null }
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return failed(`UPDATE_URL could not be read: ${error.code}.`)
    }
  }
}

const failed = (problem: string): UpdateCheck => ({ newest: null, problem })

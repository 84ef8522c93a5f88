// Which commands use the PostgreSQL inside the image: all of them, unless the settings name another one.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

type Environment = Record<string, string | undefined>

export const SECRET_FILES = {
  DATABASE_URL: 'database_url',
  MIGRATE_DATABASE_URL: 'migrate_database_url',
  MASTER_KEYS: 'master_keys',
} as const

/** The image names its directory in UPVANE_DATA. Undefined if there is none, or if the settings name a database. */
export function findOwnData(environment: Environment): string | undefined {
  const isElsewhere = ['DATABASE_URL', 'MIGRATE_DATABASE_URL'].some((name) =>
    isSet(environment, name),
  )
  return isElsewhere ? undefined : environment['UPVANE_DATA'] || undefined
}

export const secretsIn = (directory: string): string => join(directory, 'secrets')

/** Before its first start it has no secrets: then a command says what is missing in the settings. */
export function useOwnDatabase(environment: Environment, directory: string): void {
  for (const [name, file] of Object.entries(SECRET_FILES)) {
    const path = join(secretsIn(directory), file)
    if (!isSet(environment, name) && existsSync(path)) environment[`${name}_FILE`] = path
  }
  // So that the service notifies the operator before the disk is full.
  if (!isSet(environment, 'DATABASE_DISK_PATH')) environment['DATABASE_DISK_PATH'] = directory
}

/** The directory of the database in use. Undefined if it is another one than that of the image. */
export function findDataInUse(environment: Environment): string | undefined {
  const directory = environment['UPVANE_DATA'] || undefined
  if (directory === undefined) return undefined
  const own = join(secretsIn(directory), SECRET_FILES.DATABASE_URL)
  return environment['DATABASE_URL_FILE'] === own ? directory : undefined
}

export function isSet(environment: Environment, name: string): boolean {
  return [name, `${name}_FILE`].some((each) => (environment[each] ?? '') !== '')
}

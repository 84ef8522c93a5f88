// A container that keeps its own PostgreSQL: what follows from what its data directory holds, and how often PostgreSQL
// is started again.

export type DataFound = Readonly<{
  directory: string
  /** Whether a volume is mounted there. What is written without one is deleted with the container. */
  isMounted: boolean
  freeBytes: number
  hasSecrets: boolean
  /** Names of secrets that are missing in a directory of secrets. */
  missingSecrets: readonly string[]
  /** The major version of its database: undefined if it has none, 0 if its version cannot be read. */
  dataMajor: number | undefined
  /** The major version of the programs of this image. */
  programMajor: number
}>

export type FirstSteps = Readonly<{ makeSecrets: boolean; makeDatabase: boolean }>

const MIB = 1024 * 1024
// Two segments of the write-ahead log. With less, PostgreSQL would stop in the middle of its start.
const MIN_FREE_BYTES = 32 * MIB
const MAX_ENDINGS = 5
const ENDINGS_MINUTES = 10

/** A sentence for the operator if nothing can start. */
export function decideFirstSteps(found: DataFound): FirstSteps | string {
  const { directory, hasSecrets, missingSecrets, dataMajor, programMajor } = found
  if (!found.isMounted)
    return `No volume is mounted at ${directory}, so all data would be deleted with the container. Add -v upvane:${directory} to docker run, or set DATABASE_URL.`
  if (found.freeBytes < MIN_FREE_BYTES)
    return `${directory} is full: ${Math.floor(found.freeBytes / MIB)} MiB are free, and PostgreSQL needs ${MIN_FREE_BYTES / MIB} MiB. Free space on the disk of this volume.`
  if (missingSecrets.length > 0)
    return `${directory}/secrets lacks ${missingSecrets.join(', ')}. Put back your copy.`
  if (!hasSecrets && dataMajor !== undefined)
    return `${directory}/postgres has a database, and ${directory}/secrets is missing. Put back your copy; new secrets could not open what is stored.`
  if (dataMajor === 0)
    return `${directory}/postgres is not a database of PostgreSQL: it has no PG_VERSION. Put back your copy, or move it away.`
  if (dataMajor !== undefined && dataMajor !== programMajor)
    return `The data are of PostgreSQL ${dataMajor}, and this image has PostgreSQL ${programMajor}. Use an image of this version of Upvane with PostgreSQL ${dataMajor}: build it on the Debian release that has it.`
  return { makeSecrets: !hasSecrets, makeDatabase: dataMajor === undefined }
}

/** Whether PostgreSQL is started again. `endedMs`: when it ended unexpectedly, the latest included. */
export function isStartedAgain(endedMs: readonly number[], nowMs: number): boolean {
  const recent = endedMs.filter((atMs) => nowMs - atMs < ENDINGS_MINUTES * 60_000)
  return recent.length < MAX_ENDINGS
}

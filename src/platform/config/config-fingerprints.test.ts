import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSettings } from './config.ts'
import { fingerprintSettings } from './config-fingerprints.ts'

const prints = (environment: Record<string, string>, roles: string[]) =>
  fingerprintSettings(listSettings(environment), roles)

test('the same setting has the same fingerprint, another one another', () => {
  const of = (cidrs: string) => prints({ PROBE_ALLOW_CIDRS: cidrs }, ['probe'])['PROBE_ALLOW_CIDRS']
  assert.equal(of('10.0.0.0/8'), of('10.0.0.0/8'))
  assert.notEqual(of('10.0.0.0/8'), of('192.168.0.0/16'))
  assert.notEqual(of('10.0.0.0/8'), prints({}, ['probe'])['PROBE_ALLOW_CIDRS'])
})

test('a role has fingerprints of what it uses only', () => {
  assert.ok('PROBE_ALLOW_CIDRS' in prints({}, ['probe']))
  assert.ok(!('PROBE_ALLOW_CIDRS' in prints({}, ['api', 'janitor'])))
  assert.deepEqual(Object.keys(prints({}, ['janitor'])), ['RESULT_RETENTION_DAYS'])
})

test('a password is no part of a fingerprint, and a process without a relay differs from none', () => {
  const of = (url: string) =>
    prints({ SMTP_URL: url, SMTP_FROM: 'a@example.com' }, ['dispatcher'])['SMTP_URL']
  assert.equal(of('smtps://user:one@mail.example.com'), of('smtps://user:two@mail.example.com'))
  assert.notEqual(of('smtps://user:one@mail.example.com'), of('smtps://user:one@other.example.com'))
  assert.ok(!('SMTP_URL' in prints({}, ['dispatcher'])))
})

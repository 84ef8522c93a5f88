import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMisspellings } from './misspelled-names.ts'

const known = new Set([
  'DATABASE_URL',
  'SMTP_FROM',
  'SMTP_URL',
  'TRUSTED_PROXIES',
  'PORT',
  'NATS_URL',
])

test('a near miss is named with what was meant', () => {
  const names = ['SMTP_FORM', 'TRUSTED_PROXY', 'TRUSTED_PROXYS', 'NATS_URI', 'DATABASE_ULR_FILE']
  assert.deepEqual(findMisspellings(names, known), [
    { name: 'SMTP_FORM', meant: 'SMTP_FROM' },
    { name: 'TRUSTED_PROXYS', meant: 'TRUSTED_PROXIES' },
    { name: 'NATS_URI', meant: 'NATS_URL' },
    { name: 'DATABASE_ULR_FILE', meant: 'DATABASE_URL_FILE' },
  ])
})

test('names of the system, of containers and of Kubernetes are nobody’s misspelling', () => {
  const names = ['HOME', 'PATH', 'HOSTNAME', 'LOGNAME', 'NATS_PORT', 'NATS_SERVICE_HOST']
  const more = ['SMTP_PORT', 'POST', 'PORTS', 'DATABASE_HOST', 'DATABASE_URL_FILE', 'SMTP_FROM']
  assert.deepEqual(findMisspellings([...names, ...more], known), [])
})

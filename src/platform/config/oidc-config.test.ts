import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const NEEDED = {
  DATABASE_URL: 'postgres://upvane@localhost/upvane',
  MASTER_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
}
const OIDC = { OIDC_ISSUER: 'https://id.example/realms/a', OIDC_CLIENT_ID: 'upvane' }
const ORGANIZATION = 'org_01m7ef2j5re008007k9b361f3r'

test('without an issuer nobody signs in through a provider', () => {
  assert.equal(readConfig({ ...NEEDED, OIDC_CLIENT_ID: 'upvane' }).oidc, undefined)
})

test('what is left out has a default that lets nobody in', () => {
  assert.deepEqual(readConfig({ ...NEEDED, ...OIDC }).oidc, {
    issuer: 'https://id.example/realms/a',
    clientId: 'upvane',
    clientSecret: undefined,
    name: 'Single sign-on',
    allowedDomains: [],
    joins: undefined,
  })
  const joining = { OIDC_ORGANIZATION: ORGANIZATION, OIDC_ALLOWED_DOMAINS: 'Example.com, a.test' }
  const { oidc } = readConfig({ ...NEEDED, ...OIDC, ...joining })
  assert.deepEqual(oidc?.allowedDomains, ['example.com', 'a.test'])
  assert.deepEqual(oidc?.joins, { organizationId: ORGANIZATION, role: 'READ_ONLY' })
})

// biome-ignore format: a table is read by its columns
const wrong: [change: Record<string, string>, problem: RegExp][] = [
  [{ OIDC_ISSUER: 'http://id.example' },                    /OIDC_ISSUER must be an https/],
  [{ OIDC_ISSUER: 'http://127.evil.example' },              /OIDC_ISSUER must be an https/],
  [{ OIDC_ISSUER: 'https://id.example/?a' },                /OIDC_ISSUER must be an https/],
  [{ OIDC_ISSUER: 'https://u:p@id.example/' },              /OIDC_ISSUER must be an https/],
  [{ OIDC_ISSUER: 'id.example' },                           /OIDC_ISSUER must be an https/],
  [{ OIDC_CLIENT_ID: '' },                                  /OIDC_CLIENT_ID is required/],
  [{ OIDC_NAME: 'x'.repeat(41) },                           /OIDC_NAME must have at most/],
  [{ OIDC_ALLOWED_DOMAINS: '@example.com' },                /OIDC_ALLOWED_DOMAINS must be domains/],
  [{ OIDC_ALLOWED_DOMAINS: '*.example.com' },               /OIDC_ALLOWED_DOMAINS must be domains/],
  [{ OIDC_ORGANIZATION: ORGANIZATION },                     /needs OIDC_ALLOWED_DOMAINS/],
  [{ OIDC_ORGANIZATION: 'acme', OIDC_ALLOWED_DOMAINS: 'a.test' }, /starts with org_/],
  [{ OIDC_ROLE: 'OWNER' },                                  /OIDC_ROLE must be one of/],
  [{ ADMIN_EMAIL: 'root@example.com' },                     /ADMIN_PASSWORD must have 12 to 128/],
  [{ ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'short' }, /ADMIN_PASSWORD must have/],
  [{ ADMIN_PASSWORD: 'long enough, surely' },               /ADMIN_EMAIL must be an address/],
]
for (const [change, problem] of wrong)
  test(`${JSON.stringify(change).slice(0, 60)} is refused`, () => {
    const read = () => readConfig({ ...NEEDED, ...OIDC, ...change })
    assert.throws(read, (error) => error instanceof ConfigError && problem.test(error.message))
  })

test('on loopback plain http will do, for trying it out', () => {
  for (const issuer of ['http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])
    assert.equal(readConfig({ ...NEEDED, ...OIDC, OIDC_ISSUER: issuer }).oidc?.issuer, issuer)
})

test('the first account as the configuration names it', () => {
  const admin = { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'long enough, surely' }
  assert.deepEqual(readConfig({ ...NEEDED, ...admin }).admin, {
    email: 'root@example.com',
    password: 'long enough, surely',
    organization: 'My organization',
  })
  assert.equal(readConfig(NEEDED).admin, undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, verifyPassword } from './password.ts'

test('a password verifies against its hash, and no other does', async () => {
  const stored = await hashPassword('correct horse')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await verifyPassword('correct horse', stored), true)
  for (const other of ['correct hors', 'correct horse ', 'Correct horse', ''])
    assert.equal(await verifyPassword(other, stored), false, other)
})

test('the same password never has the same hash twice', async () => {
  assert.notEqual(await hashPassword('correct horse'), await hashPassword('correct horse'))
})

// A test vector of the reference implementation.
const KNOWN =
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
test('what a hash was made with is read from it', async () => {
  assert.equal(await verifyPassword('password', KNOWN), true)
  assert.equal(await verifyPassword('passwort', KNOWN), false)
  assert.equal(await verifyPassword('password', KNOWN.replace('t=2', 't=1')), false)
})

test('a password is the same however its letters are put together', async () => {
  const stored = await hashPassword('Zürich-Café')
  assert.equal(await verifyPassword('Zürich-Café'.normalize('NFD'), stored), true)
})

test('what is no stored password is a fault, not a wrong password', async () => {
  for (const stored of ['', 'plain', '$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA', '$argon2id$v=19$$'])
    await assert.rejects(verifyPassword('x', stored), /no form/)
})

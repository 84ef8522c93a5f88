import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type MasterKeys,
  newOrganizationKey,
  parseMasterKeys,
  seal,
  unseal,
  unwrapKey,
  wrapKey,
} from './encryption.ts'

const key = newOrganizationKey()
const secret = Buffer.from('whsec_canary')

function masterKeys(text: string): MasterKeys {
  const keys = parseMasterKeys(text)
  assert.ok(typeof keys !== 'string', String(keys))
  return keys
}
const base64 = (byte: number) => Buffer.alloc(32, byte).toString('base64')

test('what was sealed for a place opens there', () => {
  const sealed = seal(key, 'org|monitors|1|request_headers', secret)
  assert.equal(unseal(key, 'org|monitors|1|request_headers', sealed).toString(), 'whsec_canary')
  assert.ok(!sealed.includes(secret))
})

test('the same value is never sealed to the same bytes twice', () => {
  assert.notDeepEqual(seal(key, 'a', secret), seal(key, 'a', secret))
})

test('a value moved to another place does not open', () => {
  const sealed = seal(key, 'org-a|monitors|1|request_headers', secret)
  assert.throws(() => unseal(key, 'org-b|monitors|1|request_headers', sealed))
  assert.throws(() => unseal(key, 'org-a|monitors|1|request_body', sealed))
})

test('a changed byte does not open, whichever it is', () => {
  const sealed = seal(key, 'a', secret)
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    assert.throws(() => unseal(key, 'a', changed), `byte ${i}`)
  }
})

test('an organization key wrapped by an old master key opens while that key is listed', () => {
  const old = masterKeys(`k1:${base64(1)}`)
  const wrapped = wrapKey(old, 'org-a', key)
  const rotated = masterKeys(`k2:${base64(2)},k1:${base64(1)}`)
  assert.deepEqual(unwrapKey(rotated, 'org-a', wrapped), key)
  assert.equal(wrapKey(rotated, 'org-a', key).kid, 'k2')
  assert.throws(() => unwrapKey(masterKeys(`k2:${base64(2)}`), 'org-a', wrapped), /"k1"/)
  assert.throws(() => unwrapKey(rotated, 'org-b', wrapped))
})

for (const [why, text] of [
  ['empty', ''],
  ['no id', base64(1)],
  ['31 bytes', `k1:${Buffer.alloc(31).toString('base64')}`],
  ['twice', `k1:${base64(1)},k1:${base64(2)}`],
] as const) {
  test(`master keys are refused: ${why}`, () => {
    assert.equal(typeof parseMasterKeys(text), 'string')
  })
}

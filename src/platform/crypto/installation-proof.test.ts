import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMasterKeys } from './encryption.ts'
import { installationProof, isChallenge, isOwnProof } from './installation-proof.ts'

const CHALLENGE = '0123456789abcdef0123456789abcdef'
const entry = (kid: string, byte: number) => `${kid}:${Buffer.alloc(32, byte).toString('base64')}`

function keysOf(text: string) {
  const keys = parseMasterKeys(text)
  assert.ok(typeof keys !== 'string')
  return keys
}

test('the proof of an installation is recognized with any of its keys, and by no other', () => {
  const old = keysOf(entry('a', 1))
  const rotated = keysOf(`${entry('b', 2)},${entry('a', 1)}`)
  const proof = installationProof(old, CHALLENGE)
  assert.ok(isOwnProof(old, CHALLENGE, proof))
  assert.ok(isOwnProof(rotated, CHALLENGE, proof), 'while a key is replaced')
  assert.ok(!isOwnProof(keysOf(entry('a', 3)), CHALLENGE, proof))
  assert.ok(!isOwnProof(old, CHALLENGE.replace('0', '1'), proof))
  for (const bad of ['', 'x', proof.slice(2)]) assert.ok(!isOwnProof(old, CHALLENGE, bad))
})

test('only a random number is signed', () => {
  assert.ok(isChallenge(CHALLENGE))
  for (const bad of ['', CHALLENGE.toUpperCase(), `${CHALLENGE}0`, 'status page session'])
    assert.ok(!isChallenge(bad), bad)
})

import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { newEvidenceSecret, signEvidence, toEvidenceKey } from './evidence-key.ts'

// RFC 8032, 7.1, test 3.
const SEED = 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7'
const PUBLIC = 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025'
const SIGNATURE =
  '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a'

test('the test vector of RFC 8032', () => {
  const key = toEvidenceKey(Buffer.from(SEED, 'hex'))
  assert.equal(key.publicKey, Buffer.from(PUBLIC, 'hex').toString('base64url'))
  assert.equal(
    signEvidence(key, Buffer.from('af82', 'hex')),
    Buffer.from(SIGNATURE, 'hex').toString('base64url'),
  )
  assert.match(key.keyId, /^[0-9a-f]{16}$/)
})

test('two installations have different keys, and each verifies only its own', () => {
  const [one, other] = [toEvidenceKey(newEvidenceSecret()), toEvidenceKey(newEvidenceSecret())]
  assert.notEqual(one.keyId, other.keyId)
  const bytes = Buffer.from('{"format":"upvane-evidence/1"}\n')
  const signature = Buffer.from(signEvidence(one, bytes), 'base64url')
  const isSigned = ({ publicKey }: { publicKey: string }) => {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: publicKey },
      format: 'jwk',
    })
    return verify(null, bytes, key, signature)
  }
  assert.deepEqual([isSigned(one), isSigned(other)], [true, false])
})

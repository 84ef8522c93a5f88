// The example of RFC 8291, section 5 and appendix A.
import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { test } from 'node:test'
import { decryptPush } from '../../../test/kit/push-service/decrypt.ts'
import { encryptPush, isOnCurve, MAX_PUSH_TEXT_BYTES } from './push-encryption.ts'

const TEXT = 'When I grow up, I want to be a watermelon'
const BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const BROWSER_SECRET = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'
const SENDER_SECRET = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'
const SALT = 'DGv6ra1nlYgDCS1FRnbzlw'
const BODY =
  'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'

const bytes = (text: string) => Buffer.from(text, 'base64url')
const browser = createECDH('prime256v1')
browser.setPrivateKey(bytes(BROWSER_SECRET))

test('RFC 8291: the example of the standard, byte for byte', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(bytes(SENDER_SECRET))
  const body = encryptPush(Buffer.from(TEXT), BROWSER, { sender, salt: bytes(SALT) })
  assert.equal(body.toString('base64url'), BODY)
})

test('the decryption that other tests use opens the example of the standard', () => {
  const receiver = { ecdh: browser, auth: bytes(BROWSER.auth) }
  assert.equal(decryptPush(bytes(BODY), receiver).toString(), TEXT)
})

test('each message has a key and a salt of its own, and its browser opens it', () => {
  const [one, two] = [1, 2].map(() => encryptPush(Buffer.from(TEXT), BROWSER))
  assert.ok(one && two)
  assert.notDeepEqual(one.subarray(0, 16), two.subarray(0, 16), 'the salt')
  assert.notDeepEqual(one.subarray(21, 86), two.subarray(21, 86), 'the sender')
  const receiver = { ecdh: browser, auth: bytes(BROWSER.auth) }
  for (const body of [one, two]) assert.equal(decryptPush(body, receiver).toString(), TEXT)
})

test('the longest text fills 4096 bytes, and one more byte is refused', () => {
  const longest = Buffer.alloc(MAX_PUSH_TEXT_BYTES, 'a')
  assert.equal(encryptPush(longest, BROWSER).length, 4096)
  assert.throws(() => encryptPush(Buffer.alloc(MAX_PUSH_TEXT_BYTES + 1), BROWSER))
})

test('a key that is not on the curve is recognized', () => {
  assert.equal(isOnCurve(BROWSER.p256dh), true)
  for (const first of [0, 2, 4])
    assert.equal(isOnCurve(Buffer.from([first, ...Array(64).fill(7)]).toString('base64url')), false)
  assert.equal(isOnCurve(''), false)
})

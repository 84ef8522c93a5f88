import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommonPassword } from './common-password.ts'

const common = [
  'password1234',
  'Password1234',
  'P@ssw0rd2026!',
  '123456789012',
  '9876543210987654',
  'qwertyuiop12',
  'qwertzuiop12',
  'asdfghjkl123',
  '1qaz2wsx3edc4rfv',
  'zaq1xsw2cde3',
  'abcdefgh1234',
  'letmein12345',
  'iloveyou!!!!',
  '1234 welcome',
  'administrator',
  'passwordpassword',
  'passwordpasswo',
  'abc123abc123',
  'hunter2hunter2',
  'Summer2026!!',
  'upvane123456',
  'aaaabbbbcccc',
  'sonyericsson',
]
for (const password of common)
  test(`${password} is common`, () => assert.ok(isCommonPassword(password)))

const uncommon = [
  'correct horse battery',
  'correct horse',
  'twelve chars',
  'a horse is a horse',
  'another password of hers',
  '7f3k9q2m5x8w',
  'Tr4ctor-beam, sideways',
  '😀😃😄😁😆😅🤣😂🙂🙃😉😊',
  'abc of the alphabet',
]
for (const password of uncommon)
  test(`${password} is not common`, () => assert.ok(!isCommonPassword(password)))

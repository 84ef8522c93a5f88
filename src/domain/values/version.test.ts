import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNewerVersion, readVersion } from './version.ts'

// The order of https://semver.org, oldest first, and one that counts by numbers.
const ORDERED = [
  '0.1.0',
  '0.2.0',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '2.0.0',
]

test('versions are ordered as Semantic Versioning orders them', () => {
  for (const [i, one] of ORDERED.entries())
    for (const [j, other] of ORDERED.entries())
      assert.equal(isNewerVersion(one, other), i > j, `${one} and ${other}`)
})

test('builds of a version are equal, and what is no version is never newer', () => {
  assert.equal(isNewerVersion('1.0.0+b', '1.0.0+a'), false)
  for (const text of [
    '',
    '1',
    '1.2',
    'v9.0.0',
    '9.0.0.0',
    '9'.repeat(70),
    '9.0.0 ',
    '٩.0.0',
    'next',
  ])
    assert.equal(isNewerVersion(text, '0.1.0'), false, text)
  assert.equal(isNewerVersion('1.0.0', 'unknown'), false)
})

test('a text that is a version, and nothing else', () => {
  for (const text of ['0.3.0', 'v0.3.0', ' 0.3.0\n']) assert.equal(readVersion(text), '0.3.0')
  for (const text of [
    '',
    'v',
    '0.3',
    '0.3.0 beta',
    '<b>0.3.0</b>',
    '0.3.0\n0.4.0',
    '9'.repeat(5000),
  ])
    assert.equal(readVersion(text), undefined, text.slice(0, 20))
})

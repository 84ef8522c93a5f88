import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDebianMirror } from './debian-mirror.ts'

const LISTED = 'http://mirror.example.com/debian/\nhttp://other.example.com/debian/\n'

test('the mirror is the first of apt', () => {
  assert.equal(
    findDebianMirror('', () => LISTED),
    'http://mirror.example.com/debian/',
  )
})

test('DEBIAN_MIRROR is preferred, and apt is not asked', () => {
  const ask = () => assert.fail('apt was asked')
  assert.equal(
    findDebianMirror('https://near.example.com/debian', ask),
    'https://near.example.com/debian',
  )
})

test('without a list, one sentence says what to do', () => {
  for (const listed of ['', '\n', 'file:/media/cdrom\n'])
    assert.throws(
      () => findDebianMirror('', () => listed),
      /run apt-get update, or set DEBIAN_MIRROR/,
    )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { securityTxt } from './security-txt.ts'

test('securityTxt: the end is 180 days ahead, at midnight', () => {
  const text = securityTxt(
    ['mailto:a@b.example'],
    'https://x.example',
    new Date('2026-11-15T23:59:59Z'),
  )
  assert.equal(
    text,
    `Contact: mailto:a@b.example
Expires: 2027-05-14T00:00:00.000Z
Canonical: https://x.example/.well-known/security.txt
Preferred-Languages: en
`,
  )
})

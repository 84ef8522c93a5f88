import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SHARED_CHANNELS } from '../src/domain/alerts/channels.ts'
import { makeContactSettings } from './make-contact-settings.ts'

const GUIDE = new URL('../docs/contact-settings.md', import.meta.url)

test('the guide of contact settings is current, and has every channel of a file', () => {
  const text = readFileSync(GUIDE, 'utf8')
  assert.equal(text, makeContactSettings())
  for (const channel of SHARED_CHANNELS) assert.ok(text.includes(`| \`${channel}\` |`), channel)
})

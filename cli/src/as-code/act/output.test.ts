import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSafeJson } from '../../terminal/text.ts'
import { createHide } from './output.ts'

// As text, in JSON, in JSON for a terminal, and in a URL.
const WRITTEN: [as: string, write: (secret: string) => string][] = [
  ['text', (secret) => secret],
  ['JSON', (secret) => JSON.stringify({ secret })],
  ['JSON for a terminal', (secret) => toSafeJson({ secret })],
  ['a URL', (secret) => `https://a.example/${encodeURIComponent(secret)}`],
]
for (const secret of ['planted', 'plan"ted', 'plan\u202eted', 'plan\u200bted\u0007'])
  for (const [as, write] of WRITTEN)
    test(`hide: ${JSON.stringify(secret)} written as ${as}`, () => {
      const hidden = createHide([secret])(write(secret))
      assert.ok(!/plan.*ted/.test(hidden), hidden)
      assert.match(hidden, /\(hidden\)/)
    })

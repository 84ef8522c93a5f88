import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contrast, parse, readableAccent } from './accent.ts'

test('contrast: black on white is 21, a colour on itself 1', () => {
  assert.equal(contrast(parse('#000000'), parse('#ffffff')).toFixed(2), '21.00')
  assert.equal(contrast(parse('#5443d2'), parse('#5443d2')), 1)
})

test('readableAccent: a colour that can be read stays as it is', () => {
  assert.equal(readableAccent('#5443d2').light, '#5443d2')
  assert.equal(readableAccent('#A8A0FF').dark, '#a8a0ff')
})

test('readableAccent: every colour can be read on both grounds of both themes', () => {
  const channel = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(channel, channel, channel, (red, green, blue) => {
      const color = `#${Buffer.of(red, green, blue).toString('hex')}`
      const { light, dark } = readableAccent(color)
      for (const ground of ['#f8f9fa', '#ffffff'])
        assert.ok(contrast(parse(light), parse(ground)) >= 4.5, `${color} -> ${light} on ${ground}`)
      for (const ground of ['#0b0f14', '#10151c'])
        assert.ok(contrast(parse(dark), parse(ground)) >= 4.5, `${color} -> ${dark} on ${ground}`)
    }),
    { numRuns: 2000 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attackPattern } from './attack-pattern.ts'
import { findInSource, type Patterns } from './find-patterns.ts'
import { judgePatterns, type Rules } from './judge-patterns.ts'
import rules from './rules.json' with { type: 'json' }
import verdicts from './verdicts.json' with { type: 'json' }

const LIMIT_MS = 100
// Both were once in the product and froze it.
const DEEP_LIST = String.raw`/^(?:[ \t]*(?:[-+*]|\d+[.)])[ \t]+){5}/m`
const REFERRAL = String.raw`/^\s*(?:refer|whois|registrar whois server):\s*([a-z0-9.-]+(?::\d+)?)\s*$/im`
const NO_RULES: Rules = { bounded: [], ownText: [], computed: [] }

function patternsOf(text: string): Patterns {
  const patterns: Patterns = { found: [], computed: [] }
  findInSource('planted.ts', text, patterns)
  return patterns
}

test('check:regex finds every way to write a pattern, and no division or comment', () => {
  const text = `// not /one/
const half = (a: number, b: number) => a / b / 2
const url = 'https://x.example/y/'
const one = [/a+/g, x.match(/[/]b/)]
const two = new RegExp('^c$', 'i')
const three = RegExp(\`^\${url}$\`)
`
  const { found, computed } = patternsOf(text)
  assert.deepEqual(found, [
    { pattern: '/a+/g', where: 'planted.ts:4' },
    { pattern: '/[/]b/', where: 'planted.ts:4' },
    { pattern: '/^c$/i', where: 'planted.ts:5' },
  ])
  assert.deepEqual(computed, [{ source: 'RegExp(`^${url}$`)', where: 'planted.ts:6' }])
})

for (const planted of [DEEP_LIST, REFERRAL])
  test(`check:regex refuses ${planted}`, () => {
    const patterns = patternsOf(`export const A = ${planted}`)
    const unlisted = judgePatterns(patterns, {}, NO_RULES)
    assert.deepEqual(unlisted, [`planted.ts:1: ${planted} is not proven safe: npm run make:regex`])
    assert.ok(!Object.hasOwn(verdicts, planted))
    assert.ok(attackPattern(planted, 65_536, LIMIT_MS / 5) !== undefined, 'no attack was found')
  })

test('check:regex refuses computed patterns, and rules for what is gone', () => {
  const faults = judgePatterns(
    patternsOf('new RegExp(given)'),
    { '/gone/': 'linear' },
    {
      bounded: [{ pattern: '/old/', reason: 'x', maxLength: 1 }],
      ownText: [],
      computed: [{ source: 'RegExp(a)', reason: 'x', example: '/b/' }],
    },
  )
  assert.equal(faults.length, 5, faults.join('\n'))
})

for (const { pattern, maxLength } of rules.bounded)
  test(`no text of ${maxLength} characters is slow with ${pattern}`, () => {
    const attack = attackPattern(pattern, maxLength, LIMIT_MS)
    assert.equal(
      attack,
      undefined,
      `${attack?.ms} ms: ${JSON.stringify(attack?.text.slice(0, 80))}`,
    )
  })

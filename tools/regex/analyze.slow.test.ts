import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { analyze } from './analyze.ts'

// The analyzer's process keeps running after its last request, and this one with it.
after(() => {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
  for (const pid of children.split(' ').filter(Boolean)) process.kill(Number(pid))
})

const VULNERABLE = [
  String.raw`/^(?:[ \t]*(?:[-+*]|\d+[.)])[ \t]+){5}/m`,
  String.raw`/^\s*(?:refer|whois|registrar whois server):\s*([a-z0-9.-]+(?::\d+)?)\s*$/im`,
  '/^(a+)+$/',
]

for (const pattern of VULNERABLE)
  test(`make:regex does not take ${pattern} for safe`, async () => {
    const { isSafe, summary } = await analyze(pattern)
    assert.equal(isSafe, false)
    assert.match(summary, /polynomial|exponential/)
  })

test('make:regex proves a linear pattern', async () => {
  assert.deepEqual(await analyze('/^[a-z]+$/'), { isSafe: true, summary: 'linear, automaton' })
})

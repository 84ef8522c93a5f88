import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { judgeSignatures, judgeVulnerabilities } from './package-audit.ts'

// biome-ignore format: a table is read by its columns
const outputs: [output: string, outcome: string][] = [
  ['{"invalid":[],"missing":[]}',                                            'PASSED'],
  ['{"invalid":[],"missing":[{"name":"a"}]}',                                'PASSED'],
  ['{"invalid":[{"name":"a","version":"1.0.0"}],"missing":[]}',              'FAILED'],
  ['{"error":{"code":"ENOTFOUND","summary":"request failed\\nmore"}}',       'NOT_ANSWERED'],
  ['',                                                                       'NOT_ANSWERED'],
  ['<html>',                                                                 'NOT_ANSWERED'],
]
for (const [output, outcome] of outputs)
  test(`npm audit signatures: ${output || 'nothing'} -> ${outcome}`, () => {
    assert.equal(judgeSignatures(output).outcome, outcome)
  })

test('npm audit: output that is no report proves nothing', () => {
  for (const output of ['', 'x', '{}', '{"message":"404"}', 'null'])
    assert.equal(judgeVulnerabilities(output).outcome, 'NOT_ANSWERED', output)
})

test('CI runs the audit after installing', () => {
  const ci = readFileSync(join(import.meta.dirname, '../.ci/run'), 'utf8')
  assert.ok(ci.indexOf("'npm ci'") < ci.indexOf('npm run -s audit:packages'), 'it does not')
})

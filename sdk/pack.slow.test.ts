import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { packSdk } from './pack.ts'

const PROGRAM = `
import { signWebhook, verifyWebhook } from '@upvane/sdk'
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const body = JSON.stringify({
  id: 'evt_x', type: 'webhook.test', timestamp: '', organizationId: 'org_x', data: { message: 'Hello' },
})
const headers = await signWebhook({ secret, id: 'evt_x', body })
console.log((await verifyWebhook({ secret, headers, body })).data.message)
`

test('the packed SDK works for a project that installed it', (t) => {
  const project = mkdtempSync(join(tmpdir(), 'upvane-pack-test-'))
  t.after(() => rmSync(project, { recursive: true }))
  const installed = join(project, 'node_modules/@upvane/sdk')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', packSdk(project), '-C', installed, '--strip-components=1'])
  writeFileSync(join(project, 'program.mjs'), PROGRAM)
  const printed = execFileSync(process.execPath, [join(project, 'program.mjs')], {
    encoding: 'utf8',
  })
  assert.equal(printed, 'Hello\n')
})

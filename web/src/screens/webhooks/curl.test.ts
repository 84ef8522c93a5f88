import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { toCurl } from './curl.ts'

const request = {
  method: 'POST',
  url: 'https://hooks.example.com/in?a=1&b=2',
  headers: { 'webhook-id': 'evt_1', 'content-type': 'application/json' },
  body: '{"name":"Ana\'s $HOME `id` \\"shop\\""}',
}

test('toCurl: a shell hands on exactly what was sent, whatever stands in it', () => {
  const asked = toCurl(request).replace(/^curl/, 'printf "%s\\n"')
  const said = execFileSync('/bin/sh', ['-c', asked], { encoding: 'utf8' }).trimEnd().split('\n')
  assert.deepEqual(said, [
    '-X',
    'POST',
    request.url,
    '-H',
    'webhook-id: evt_1',
    '-H',
    'content-type: application/json',
    '--data-raw',
    request.body,
  ])
})

// The files of deploy/ are consistent with each other and with the product.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('a unit for one role is as restricted as the unit for all of them', () => {
  const restrictions = (file: string) => read(file).slice(read(file).indexOf('KillSignal='))
  assert.ok(restrictions('deploy/upvane.service').includes('NoNewPrivileges=yes'))
  assert.equal(restrictions('deploy/upvane@.service'), restrictions('deploy/upvane.service'))
})

test('the environment file has one reader: the product', () => {
  for (const file of ['deploy/upvane.service', 'deploy/upvane@.service']) {
    assert.match(read(file), /^Environment=UPVANE_ENV_FILE=\/etc\/upvane\/upvane\.env$/m)
    assert.doesNotMatch(read(file), /^EnvironmentFile=/m)
  }
  // A shell would interpret `My organization`, `&` and `$`.
  assert.doesNotMatch(read('deploy/upvane.sh'), /^\s*(?:\.|source) /m)
})

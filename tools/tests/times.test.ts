import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findSlower, writeTimes } from './times.ts'

const suite = (cpuSeconds: number) => ({
  wallSeconds: 10,
  cpuSeconds,
  passed: 1,
  failed: 0,
  skipped: 0,
})

test('findSlower: a suite that used a quarter more CPU time than recorded', () => {
  assert.deepEqual(findSlower({ db: suite(120) }, { db: suite(100) }), [])
  assert.deepEqual(findSlower({ db: suite(140) }, { db: suite(100) }), [
    'db: 140 CPU s, 40% more than the recorded 100',
  ])
  // Small suites vary by a few seconds, and new ones have no record.
  assert.deepEqual(findSlower({ db: suite(7) }, { db: suite(3) }), [])
  assert.deepEqual(findSlower({ db: suite(700) }, {}), [])
})

test('writeTimes: several runs share a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-times-'))
  const path = join(directory, 'times.json')
  try {
    writeTimes(path, { suites: { db: suite(1) }, files: { b: { wallSeconds: 1, cpuSeconds: 1 } } })
    writeTimes(path, { suites: { app: suite(2) }, files: { a: { wallSeconds: 2, cpuSeconds: 2 } } })
    const { suites, files } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object>
    assert.deepEqual(Object.keys(suites ?? {}), ['app', 'db'])
    assert.deepEqual(Object.keys(files ?? {}), ['a', 'b'])
  } finally {
    rmSync(directory, { recursive: true })
  }
})

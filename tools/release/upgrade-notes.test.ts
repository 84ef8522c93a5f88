import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findUpgradeProblems, type Migration } from './upgrade-notes.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS: Migration[] = globSync('migrations/*.sql', { cwd: ROOT }).map((file) => ({
  number: Number(file.slice('migrations/'.length, 'migrations/'.length + 4)),
  sql: readFileSync(join(ROOT, file), 'utf8'),
}))

test('UPGRADE.md describes every migration: the tables it locks, and the way back', () => {
  assert.ok(MIGRATIONS.length >= 28)
  const notes = readFileSync(join(ROOT, 'UPGRADE.md'), 'utf8')
  assert.deepEqual(findUpgradeProblems(notes, '0.2.0', MIGRATIONS), [])
})

test('what is missing or wrong in the notes is named', () => {
  const migrations = [
    { number: 1, sql: 'create table things (id int);' },
    { number: 2, sql: 'alter table things add column name text;' },
    { number: 3, sql: 'select 1;' },
  ]
  const notes = `## 0.2.0
| 0001 | none | safe |
| 0002 | none | perhaps |
| 0004 | none | safe |
`
  assert.deepEqual(findUpgradeProblems(notes, '0.3.0', migrations), [
    'UPGRADE.md has no section "## 0.3.0".',
    'UPGRADE.md describes migration 0004, which does not exist.',
    'UPGRADE.md, 0002: the way back must start with "safe" or "not safe".',
    'UPGRADE.md, 0002: it locks things, which the row does not name.',
    'UPGRADE.md says nothing about migration 0003: which tables it locks, the way back.',
  ])
})

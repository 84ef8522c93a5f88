import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dayTable, storageTable } from './storage-table.ts'

const PAGE = join(import.meta.dirname, '../docs/operating/storage.md')

test('docs/operating/storage.md has the tables of the limits in the code', () => {
  const page = readFileSync(PAGE, 'utf8')
  for (const table of [storageTable(), dayTable()])
    assert.ok(page.includes(table), `Replace the table:\n\n${table}`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shrinkPool } from './connection-budget.ts'

// biome-ignore format: a table reads better in columns
for (const [databaseConnections, connections] of [
  [500, 8], [20, 8], [19, 8], [17, 7], [10, 4], [8, 4], [6, 3], [2, 3],
] as const)
  test(`a pool of 8 has ${connections} connections with DATABASE_CONNECTIONS=${databaseConnections}`, () => {
    assert.equal(shrinkPool(8, { databaseConnections }), connections)
  })

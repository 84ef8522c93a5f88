import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sql } from '../core/db.ts'
import {
  type BatchColumn,
  bigints,
  booleans,
  byteas,
  instants,
  integers,
  smallints,
  texts,
  uuids,
  xids,
} from './batch-values.ts'

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

const at = (text: string) => new Date(text)
// biome-ignore format: a table is read by its columns
const columns: [type: string, sent: BatchColumn, expected: unknown[]][] = [
  ['bigint', bigints([0, 1, -1, 2 ** 32, -(2 ** 32), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null]),
    ['0', '1', '-1', '4294967296', '-4294967296', '9007199254740991', '-9007199254740991', null]],
  ['integer', integers([0, -1, 2_147_483_647, -2_147_483_648, null]), ['0', '-1', '2147483647', '-2147483648', null]],
  ['smallint', smallints([null, 0, -1, 32_767, -32_768]), [null, '0', '-1', '32767', '-32768']],
  ['xid', xids([3, 4_294_967_295]), ['3', '4294967295']],
  ['boolean', booleans([true, false]), ['true', 'false']],
  ['timestamptz', instants([at('2026-11-15T04:05:06.789Z'), at('1999-12-31T23:59:59.999Z'), null, at('2000-01-01T00:00:00Z')]),
    ['2026-11-15 04:05:06.789+00', '1999-12-31 23:59:59.999+00', null, '2000-01-01 00:00:00+00']],
  ['uuid', uuids(['019aa000-0000-7000-8000-000000002710', 'ffffffff-ffff-ffff-ffff-ffffffffffff']),
    ['019aa000-0000-7000-8000-000000002710', 'ffffffff-ffff-ffff-ffff-ffffffffffff']],
  ['text', texts(['', 'a', null, 'ü🙂', '{"a":1,\\}', 'null']), ['', 'a', null, 'ü🙂', '{"a":1,\\}', 'null']],
  ['bytea', byteas([Buffer.from([]), Buffer.from([0, 255])]), ['\\x', '\\x00ff']],
  ['bigint', bigints([]), []],
  ['text', texts([]), []],
]
for (const [type, sent, expected] of columns)
  test(`${type}[]: PostgreSQL reads ${expected.length} values as they were written`, async () => {
    const array = { text: `$1::${type}[]` }
    const rows = await database.engine.query<{ value: string | null }>(
      sql`select value::text from unnest(${array}) with ordinality as u (value, n) order by n`,
      [sent],
    )
    assert.deepEqual(
      rows.map(({ value }) => value),
      expected,
    )
  })

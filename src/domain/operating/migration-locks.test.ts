import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateSeconds, readMigrationLocks } from './migration-locks.ts'

// biome-ignore format: a table is read by its columns
const LOCKS: [sql: string, locks: string[]][] = [
  ['alter table monitors add column a int',                          ['monitors ACCESS EXCLUSIVE']],
  ['ALTER TABLE ONLY public.monitors\n  add column a int',           ['monitors ACCESS EXCLUSIVE']],
  ['alter table monitors set (fillfactor = 70)',                     []],
  ['drop table monitors',                                            ['monitors ACCESS EXCLUSIVE']],
  ['create policy p on monitors using (true)',                       ['monitors ACCESS EXCLUSIVE']],
  ["call protect_tenant_table('monitors')",                          ['monitors ACCESS EXCLUSIVE']],
  ['create trigger t after insert on results execute function f()',  ['results SHARE ROW EXCLUSIVE']],
  ['create table a (b int references monitors (no))',                ['monitors SHARE ROW EXCLUSIVE']],
  ['create unique index i on monitors (no)',                         ['monitors SHARE']],
  ['create index concurrently i on monitors (no)',                   []],
  ['create index i on monitors (no); alter table monitors add a int', ['monitors ACCESS EXCLUSIVE']],
  ['create function f() returns void language sql as $$ alter table monitors add a int; $$', []],
  ['do $$ begin end $$; alter table a add b int; create function f() as $x$ drop table c; $x$', ['a ACCESS EXCLUSIVE']],
  ["do $$ begin foreach t in array array['a', 'b'] loop execute format('x'); end loop; end $$", ['a ACCESS EXCLUSIVE', 'b ACCESS EXCLUSIVE']],
  ['-- alter table monitors add column a int\nselect 1',             []],
  ['update monitors set name = name',                                []],
  ['grant select on monitors to upvane_app',                         []],
]

for (const [sql, expected] of LOCKS)
  test(`readMigrationLocks: ${sql.slice(0, 60)}`, () => {
    const { locks } = readMigrationLocks(sql)
    assert.deepEqual(
      locks.map(({ table, mode }) => `${table} ${mode}`),
      expected,
    )
  })

test('readMigrationLocks: what takes time is named, a new column is not', () => {
  const { work, droppedIndexes } = readMigrationLocks(`
    alter table a add column b int;
    alter table a add check (b > 0);
    alter table a alter column b type bigint;
    update c set d = 1;
    create index e on c (d);
    drop index f;`)
  assert.deepEqual(work, [
    { table: 'a', kind: 'SCAN' },
    { table: 'a', kind: 'WRITE' },
    { table: 'c', kind: 'WRITE' },
    { table: 'c', kind: 'INDEX' },
  ])
  assert.deepEqual(droppedIndexes, ['f'])
})

test('estimateSeconds: rounds up, and nothing takes no time', () => {
  assert.equal(estimateSeconds([]), 0)
  assert.equal(estimateSeconds([{ kind: 'SCAN', bytes: 1 }]), 1)
  assert.equal(
    estimateSeconds([
      { kind: 'WRITE', bytes: 200e6 },
      { kind: 'INDEX', bytes: 250e6 },
    ]),
    20,
  )
})

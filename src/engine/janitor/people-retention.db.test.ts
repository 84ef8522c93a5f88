import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import { forgetPeople } from './people-retention.ts'

let fixture: DbFixture
let database: TestDatabase

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

test('what has ended goes, what still counts stays', async () => {
  const { admin } = database
  await admin.query(`
    insert into users (id, email, name) values (gen_random_uuid(), 'ana@example.com', 'Ana');
    insert into sessions (id, token_hash, user_id, complete, address, agent, expires_at)
    select gen_random_uuid(), sha256(kind::bytea), u.id, true, kind, '', now() + age
      from users u, (values ('ended', interval '-1 second'), ('open', interval '1 minute')) k (kind, age);
    insert into user_tokens (id, user_id, purpose, token_hash, expires_at)
    select gen_random_uuid(), u.id, 'RESET_PASSWORD', sha256(kind::bytea), now() + age
      from users u, (values ('old', interval '-25 hours'), ('counted', interval '-1 hour'),
                            ('good', interval '1 hour')) k (kind, age);
    insert into sign_in_windows (subject, started_at, failures)
    values ('over', now() - interval '16 minutes', 9), ('running', now() - interval '14 minutes', 9);
    insert into mail_windows (subject, hour_at, in_hour, day_at, in_day)
    values ('over', now(), 1, now() - interval '25 hours', 9), ('running', now(), 1, now() - interval '23 hours', 9)`)
  const metrics = new JanitorMetrics(new Registry())
  const log = pino({ level: 'silent' })
  await forgetPeople({ database: database.engine, log, metrics, stopping: () => false })
  const { rows } = await admin.query(`
    select (select array_agg(address) from sessions) as sessions,
           (select count(*)::int from user_tokens) as tokens,
           (select array_agg(subject) from sign_in_windows) as windows,
           (select array_agg(subject) from mail_windows) as mails`)
  assert.deepEqual(rows, [
    { sessions: ['open'], tokens: 2, windows: ['running'], mails: ['running'] },
  ])
})

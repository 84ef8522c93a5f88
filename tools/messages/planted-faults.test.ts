// The faults that an operator's trial planted, and the tests that plant them. A test that is renamed or deleted is missed
// here.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const DOCTOR = 'src/operator/doctor/doctor.db.test.ts'
const MACHINE = 'test/deploy/install.test.ts'
const WORK = 'test/e2e/operating/not-working.test.ts'
const WATCH = 'test/e2e/operating/self-watch.test.ts'
const START = 'test/e2e/operating/failed-start.test.ts'
const CRASH = 'test/e2e/operating/crash-loop.test.ts'

// biome-ignore format: a table is read by its columns
const FOUND_BY_DOCTOR: readonly [fault: string, file: string, name: string][] = [
  ['a wrong PORT and a misspelled SMTP_FORM',  DOCTOR,  'every problem of the configuration is named, not only the first'],
  ['master_keys of root alone',                MACHINE, 'a secret that belongs to root alone'],
  ['upvane.env for everybody',                 DOCTOR,  'a file of settings that every account can read'],
  ['another master key',                       DOCTOR,  'another master key'],
  ['the port of the relay is closed',          DOCTOR,  'a relay that is away'],
  ['NATS is not there',                        DOCTOR,  'NATS away'],
  ['a wrong password of the database',         DOCTOR,  'a wrong password'],
  ['upvane_app bypasses row-level security',   DOCTOR,  'a role that bypasses row-level security'],
  ['the engine role is revoked',               DOCTOR,  'a login without a role'],
  ['ping is not permitted',                    MACHINE, 'a kernel that permits no ping'],
  ['no connection is left',                    DOCTOR,  'no connection left'],
  ['NATS with a certificate of its own',       DOCTOR,  'NATS with a certificate of its own authority'],
  ['a read-only database',                     DOCTOR,  'a database that is read-only'],
  ['BASE_URL of another host',                 DOCTOR,  'BASE_URL of another host'],
  ['https without TRUSTED_PROXIES',            DOCTOR,  'https without a trusted proxy'],
  ['a stopped service',                        MACHINE, 'a stopped service'],
]

// biome-ignore format: a table is read by its columns
const REPORTED: readonly [fault: string, file: string, name: string][] = [
  ['no probe in a region',                     WORK,    'no probe'],
  ['NATS is stopped',                          WORK,    'no bus'],
  ['a frozen dispatcher',                      WORK,    'a frozen dispatcher, no janitor,'],
  ['a stopped janitor',                        WORK,    'a frozen dispatcher, no janitor,'],
  ['a frozen scheduler',                       WATCH,   'a scheduler that is frozen:'],
  ['a stopped api',                            WORK,    'no API, and a scheduler that NATS refuses'],
  ['a frozen PostgreSQL',                      WATCH,   'a database that accepts and never answers:'],
  ['a read-only database',                     WORK,    'a read-only database'],
  ['no connection is left',                    WATCH,   'a PostgreSQL without a free connection:'],
  ['the relay refuses the password',           WORK,    'an expired password of the relay:'],
  ['a clock that is off',                      WORK,    'a frozen dispatcher, no janitor,'],
  ['NATS refuses the scheduler',               WORK,    'no API, and a scheduler that NATS refuses'],
  ['every start fails',                        START,   'a start that fails is reported with its reason'],
  ['the service dies again and again',         CRASH,   'one that dies some time after its start, in a loop,'],
]

for (const [what, rows] of Object.entries({ doctor: FOUND_BY_DOCTOR, 'the operator': REPORTED }))
  for (const [fault, file, name] of rows)
    test(`${fault}: a test shows that ${what} finds it`, () => {
      const source = readFileSync(join(ROOT, file), 'utf8')
      assert.ok(source.includes(`test('${name}`) || source.includes(`name: '${name}'`), file)
    })

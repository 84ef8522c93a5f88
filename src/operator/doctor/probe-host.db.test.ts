// `upvane doctor` on a machine that only runs a probe: no DATABASE_URL, no MASTER_KEYS.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Nats, startNats } from '../../../tools/services/nats.ts'
import { openNatsBus } from '../../bus/nats-bus.ts'
import { exitCodeOf } from '../../domain/operating/doctor.ts'
import { CommandContext } from '../cli/command.ts'
import { MIGRATIONS } from '../commands.ts'
import { type Diagnosis, diagnose } from './doctor.ts'

const PASSWORD = 'secret-of-nats'
const CONFIG = `
max_payload: 4MB
authorization {
  users: [
    { user: "upvane", password: "${PASSWORD}", permissions: { publish: ["upvane.>"], subscribe: ["upvane.>"] } }
    { user: "probe-eu-1", password: "${PASSWORD}", permissions: {
        subscribe: ["upvane.jobs.eu probes", "upvane.inbox.probe-eu-1.>"], publish: ["upvane.probes.eu.probe-eu-1"]
        allow_responses: { max: 101, expires: "5m" } } }
    { user: "mute", password: "${PASSWORD}", permissions: {
        subscribe: ["upvane.jobs.eu probes"], publish: ["upvane.probes.eu.another"] } }
    { user: "deaf", password: "${PASSWORD}", permissions: {
        subscribe: ["upvane.inbox.>"], publish: ["upvane.probes.eu.deaf"] } }
  ]
}
`

const directory = mkdtempSync(join(tmpdir(), 'upvane-probe-doctor-'))
const at = (name: string) => join(directory, name)
let nats: Nats

before(async () => {
  nats = await startNats({ config: CONFIG })
})
after(async () => {
  await nats.stop()
  rmSync(directory, { recursive: true })
})

test('a sound probe: what it needs is checked, and the rest is named with a reason', async () => {
  const checks = await examine({ NATS_URL: natsUrl('probe-eu-1'), REGION: 'eu' })
  assert.equal(exitCodeOf(checks), 0, JSON.stringify(checks))
  const named = (level: string) =>
    checks.filter((line) => line.level === level).map(({ check }) => check)
  assert.deepEqual(named('fail'), [])
  assert.deepEqual(named('skip'), ['database', 'clock', 'probes', 'mail relay'])
  for (const check of ['configuration', 'files', 'NATS', 'disk'])
    assert.ok(named('ok').includes(check), check)
  assert.match(sentence(checks, 'database'), /no database.+on a machine of the service/)
  assert.match(sentence(checks, 'clock'), /timedatectl/)
})

test('doctor is not taken for a live probe, and takes no job from one', async () => {
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  const service = await openNatsBus({ url: natsUrl('upvane'), onError })
  const announced: unknown[] = []
  await service.onAnnouncement((announcement) => void announced.push(announcement))
  const checks = await examine({ NATS_URL: natsUrl('probe-eu-1'), REGION: 'eu' })
  assert.equal(exitCodeOf(checks), 0)
  await service.close()
  assert.deepEqual(announced, [])
  assert.deepEqual(errors, [])
})

const FAULTS: { name: string; env: () => NodeJS.ProcessEnv; says: RegExp }[] = [
  {
    name: 'no permission to announce itself',
    env: () => ({ NATS_URL: natsUrl('mute'), REGION: 'eu' }),
    says: /^NATS does not permit what a probe needs \(.*upvane\.probes\.eu\.mute.*\)\. Compare/,
  },
  {
    name: 'no permission to take jobs',
    env: () => ({ NATS_URL: natsUrl('deaf'), REGION: 'eu' }),
    says: /^NATS does not permit what a probe needs \(.*upvane\.jobs\.eu.*\)\. Compare/,
  },
  {
    name: 'another region than its user has',
    env: () => ({ NATS_URL: natsUrl('probe-eu-1'), REGION: 'us' }),
    says: /^NATS does not permit what a probe needs \(.*\.us.*\)\. Compare/,
  },
  {
    name: 'another password',
    env: () => ({ NATS_URL: natsUrl('probe-eu-1').replace(PASSWORD, 'secret-of-nobody') }),
    says: /^NATS refuses this user \(.+\)\. Look at the user and password in NATS_URL/,
  },
  {
    name: 'NATS away',
    env: () => ({ NATS_URL: 'nats://probe-eu-1:secret-of-nats@127.0.0.1:9' }),
    says: /^NATS cannot be used \(.+\)\. Does it run, and is NATS_URL right\?/,
  },
  {
    name: 'a probe that has not joined',
    env: () => ({ PROBE_FILE: at('absent.json') }),
    says: /^This probe has not joined: there is no .+absent\.json\. Run upvane probe join/,
  },
  {
    name: 'a file that is no probe',
    env: () => {
      writeFileSync(at('broken.json'), '{}', { mode: 0o600 })
      return { PROBE_FILE: at('broken.json') }
    },
    says: /broken\.json is not a probe's file\. Delete it and join again\.$/,
  },
]

for (const { name, env, says } of FAULTS)
  test(`on a probe: ${name}`, async () => {
    const checks = await examine(env())
    assert.match(sentence(checks, 'NATS'), says)
    assert.equal(exitCodeOf(checks), 1, JSON.stringify(checks))
    assert.ok(!JSON.stringify(checks).includes(PASSWORD))
  })

test('a machine of the service that lost DATABASE_URL is not taken for a probe', async () => {
  const checks = await examine({ NATS_URL: natsUrl('upvane'), MASTER_KEYS: 'x' })
  assert.equal(exitCodeOf(checks), 2)
  assert.match(sentence(checks, 'configuration'), /^DATABASE_URL is required\./)
})

async function examine(environment: NodeJS.ProcessEnv): Promise<Diagnosis['checks']> {
  const context = new CommandContext({}, [], { DISK_WATERMARK_PERCENT: '100', ...environment })
  const place = { root: join(MIGRATIONS, '..'), migrations: MIGRATIONS }
  return (await diagnose(context, place).finally(() => context.close())).checks
}

function sentence(checks: Diagnosis['checks'], name: string): string {
  return checks.find(({ check }) => check === name)?.message ?? ''
}

function natsUrl(user: string): string {
  return nats.url.replace('//', `//${user}:${PASSWORD}@`)
}

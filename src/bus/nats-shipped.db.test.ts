// The shipped server configuration with the users that make-secrets.sh creates.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@nats-io/transport-node'
import { type Nats, startNats } from '../../tools/services/nats.ts'
import type { JobResult } from './bus.ts'
import { newJobId } from './jobs-in-flight.ts'
import { openNatsBus } from './nats-bus.ts'
import { packJobs } from './packing.ts'

const WAIT = { timeout: 30_000 }
const DEPLOY = join(import.meta.dirname, '../../deploy')
const PROBE = { region: 'default', probe: 'probe' }

const directory = mkdtempSync(join(tmpdir(), 'upvane-nats-shipped-'))
const secrets = join(directory, 'secrets')
const secret = (name: string) => readFileSync(join(secrets, name), 'utf8').trim()
let nats: Nats

before(async () => {
  createSecrets()
  const shipped = readFileSync(join(DEPLOY, 'nats.conf'), 'utf8')
  // Only the monitoring port is changed: it may be in use on this machine.
  const config = shipped.replace(/^http: 127\.0\.0\.1:8222$/m, 'http: 127.0.0.1:-1')
  assert.notEqual(config, shipped)
  writeFileSync(join(directory, 'nats.conf'), config)
  copyFileSync(join(secrets, 'nats_users.conf'), join(directory, 'nats_users.conf'))
  nats = await startNats({ configFile: join(directory, 'nats.conf') })
})

after(async () => {
  await nats.stop()
  rmSync(directory, { recursive: true })
})

function createSecrets(): string {
  const args = [join(DEPLOY, 'make-secrets.sh'), secrets, 'postgres:5432', 'nats:4222']
  return execFileSync('/bin/sh', args, { encoding: 'utf8', stdio: 'pipe' })
}

/** The URL from the file, with the port of this test. */
const urlFrom = (name: string) => {
  const url = new URL(secret(name))
  assert.deepEqual([url.protocol, url.host], ['nats:', 'nats:4222'])
  return `nats://${url.username}:${url.password}@127.0.0.1:${nats.port}`
}

test('a client without a user, or with a wrong password, is refused', WAIT, async () => {
  const wrong = `${new URL(secret('nats_url')).password}0`
  for (const signIn of [{}, { user: 'upvane', pass: wrong }, { user: 'upvane', pass: '' }])
    await assert.rejects(
      connect({ servers: nats.url, reconnect: false, ...signIn }),
      /Authorization Violation/i,
    )
})

test('service and probe work with the passwords that were created', WAIT, async () => {
  const errors: Error[] = []
  const onError = (error: Error) => void errors.push(error)
  const service = await openNatsBus({ url: urlFrom('nats_url'), onError })
  const probe = await openNatsBus({ url: urlFrom('nats_probe_url'), onError })
  try {
    await probe.serveJobs(PROBE, ({ jobs, reply }) => {
      reply(jobs.map(({ id }) => resultOf(id)))
      return 'accepted'
    })
    const [packet] = packJobs([jobOf()]).packets
    assert.ok(packet)
    const answered = Promise.withResolvers<JobResult[]>()
    assert.equal(await service.sendJobs('default', packet, answered.resolve), 'accepted')
    assert.equal((await answered.promise)[0]?.id, packet.items[0]?.id)
    const announced = Promise.withResolvers<string>()
    await service.onAnnouncement(({ probe: name }) => announced.resolve(name))
    probe.announce({ ...PROBE, capacity: 1, inFlight: 0, can: ['HTTP'] })
    assert.equal(await announced.promise, 'probe')
    assert.deepEqual(errors, [])
  } finally {
    await Promise.all([service.close(), probe.close()])
  }
})

test('the user of probes can neither send jobs nor read the answers of others', WAIT, async () => {
  const { username, password } = new URL(secret('nats_probe_url'))
  const raw = await connect({ servers: nats.url, user: username, pass: password, reconnect: false })
  const violations: string[] = []
  const watching = (async () => {
    for await (const status of raw.status())
      if (status.type === 'error') violations.push(status.error.message)
  })()
  for (const subject of ['upvane.jobs.default', 'upvane.requests.check.1', 'upvane.hints.shard.1'])
    raw.publish(subject, '{}')
  for (const subject of ['upvane.>', 'upvane.inbox.upvane.>', '>'])
    raw.subscribe(subject, { callback: () => {} })
  await raw.flush()
  await sleep(100)
  assert.equal(violations.length, 6, violations.join('\n'))
  await raw.close()
  await watching
})

test('make-secrets.sh: nothing is world-readable through its directory, and no two runs agree', () => {
  assert.equal(statSync(secrets).mode & 0o777, 0o750)
  const passwords = ['nats_url', 'nats_probe_url'].map((name) => new URL(secret(name)).password)
  for (const password of passwords) assert.match(password, /^[0-9a-f]{48}$/)
  assert.equal(new Set(passwords).size, 2)
})

test('make-secrets.sh again: refuses, but adds what an older installation lacks', () => {
  const masterKeys = secret('master_keys')
  assert.throws(createSecrets)
  for (const name of ['nats_users.conf', 'nats_url', 'nats_probe_url'])
    rmSync(join(secrets, name), { force: true })
  createSecrets()
  assert.equal(secret('master_keys'), masterKeys)
  assert.match(secret('nats_url'), /^nats:\/\/upvane:[0-9a-f]{48}@nats:4222$/)
})

function jobOf() {
  const target = { type: 'PORT', host: 'example.com', port: 443 }
  return { id: newJobId(), orgId: 'org_1', attempt: 1, budgetMs: 5000, target }
}

function resultOf(id: string) {
  return { id, acceptedToStartMs: 1, startedToEndMs: 2, attempt: { outcome: 'OK' } }
}

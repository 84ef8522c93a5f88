// A rolling upgrade: probes and services of the version before and of this one understand each other, with permissions
// that nobody has changed.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { checkOut, EARLIER, isInHistory, type Version } from '../../test/fault/upgrade/versions.ts'
import { type Nats, startNats } from '../../tools/services/nats.ts'
import type { Bus, JobResult, ProbeAnnouncement } from './bus.ts'
import { newJobId } from './jobs-in-flight.ts'
import { openNatsBus } from './nats-bus.ts'
import { packJobs } from './packing.ts'

const COMMIT = EARLIER['0021']
const skip = !isInHistory(COMMIT) && `this clone has no commit ${COMMIT}`
const WAIT = { timeout: 30_000, skip }
const PLACE = { region: 'eu', probe: 'probe-eu-1' }
// As deploy/nats-probe-example.conf of the version before.
const CONFIG = `
max_payload: 4MB
authorization {
  users: [
    { user: "upvane", password: "secret", permissions: {
      publish: ["upvane.jobs.*", "upvane.requests.>", "upvane.hints.>", "upvane.inbox.>"]
      subscribe: ["upvane.probes.*.*", "upvane.requests.>", "upvane.hints.>", "upvane.inbox.upvane.>"] } }
    { user: "probe-eu-1", password: "secret", permissions: {
      subscribe: ["upvane.jobs.eu probes", "upvane.inbox.probe-eu-1.>"]
      publish: ["upvane.probes.eu.probe-eu-1"]
      allow_responses: { max: 101, expires: "5m" } } }
  ]
}
`
type Open = typeof openNatsBus

let nats: Nats
let version: Version
let openEarlier: Open
const errors: string[] = []
const onError = (error: Error) => void errors.push(error.message)

before(async () => {
  if (skip !== false) return
  nats = await startNats({ config: CONFIG })
  version = checkOut(COMMIT)
  const module = (await import(join(version.directory, 'src/bus/nats-bus.ts'))) as {
    openNatsBus: Open
  }
  openEarlier = module.openNatsBus
})
after(async () => {
  await nats?.stop()
  version?.remove()
})

const openAs = (open: Open, user: string) =>
  open({ url: nats.url.replace('//', `//${user}:secret@`), onError })

/** What the service hears of the probe, and the result of one job, sent to any probe and to this one alone. */
async function talk(service: Bus, probe: Bus) {
  const announced = Promise.withResolvers<ProbeAnnouncement>()
  await service.onAnnouncement(announced.resolve)
  await probe.serveJobs(PLACE, ({ jobs, reply }) => {
    reply(jobs.map(resultOf))
    return 'accepted'
  })
  probe.announce({ ...PLACE, capacity: 1, inFlight: 0, can: ['HTTP'], version: '0.1.0' })
  const { answerKey, isDirect = false, ...heard } = await announced.promise
  assert.deepEqual([heard.region, heard.probe], [PLACE.region, PLACE.probe])
  const targets = isDirect ? [undefined, PLACE.probe] : [undefined]
  for (const to of targets) {
    const job = { id: newJobId(), orgId: 'org_1', attempt: 1, budgetMs: 5000, target: {} }
    const [packet] = packJobs([job]).packets
    assert.ok(packet)
    const answered = Promise.withResolvers<JobResult[]>()
    const outcome = await service.sendJobs(PLACE.region, packet, answered.resolve, { to })
    assert.equal(outcome, 'accepted')
    assert.deepEqual(await answered.promise, [{ ...resultOf(job), ...PLACE }])
  }
  await Promise.all([service.close(), probe.close()])
  assert.deepEqual(errors, [])
  return { provesName: answerKey !== undefined, isDirect }
}

const resultOf = ({ id }: { id: string }) => ({
  id,
  acceptedToStartMs: 1,
  startedToEndMs: 2,
  attempt: { outcome: 'OK' },
})

test('a probe of the version before works, and its identity is not verified', WAIT, async () => {
  const service = await openAs(openNatsBus, 'upvane')
  const found = await talk(service, await openAs(openEarlier, 'probe-eu-1'))
  assert.deepEqual(found, { provesName: false, isDirect: false })
})

test('a probe of this version works with a service of the version before', WAIT, async () => {
  const service = await openAs(openEarlier, 'upvane')
  await talk(service, await openAs(openNatsBus, 'probe-eu-1'))
})

test('both of this version: the name is proven, with the permissions of before', WAIT, async () => {
  const service = await openAs(openNatsBus, 'upvane')
  const found = await talk(service, await openAs(openNatsBus, 'probe-eu-1'))
  assert.deepEqual(found, { provesName: true, isDirect: true })
})

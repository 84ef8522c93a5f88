// One suite for both buses: what holds within a process must also hold between processes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Nats, startNats } from '../../tools/services/nats.ts'
import type { Bus, Job, JobResult, ProbeAnnouncement, ProbeResult, ReceivedPacket } from './bus.ts'
import { newJobId } from './jobs-in-flight.ts'
import { createLocalBus, LocalHub } from './local-bus.ts'
import { openNatsBus } from './nats-bus.ts'
import { MAX_PACKET_ITEMS, packJobs } from './packing.ts'

const WAIT = { timeout: 30_000 }
const EU = { region: 'eu', probe: 'eu-1' }

type Members = { open(): Promise<Bus>; errors: Error[]; [Symbol.asyncDispose](): Promise<void> }

let nats: Nats
before(async () => {
  nats = await startNats()
})
after(() => nats.stop())

for (const kind of ['local', 'nats'] as const) {
  describe(`${kind} bus`, () => {
    test('sendJobs: accepted, and every result comes back as sent', WAIT, async () => {
      await using members = gather(kind)
      const [owner, probe] = [await members.open(), await members.open()]
      const seen: Job[] = []
      await probe.serveJobs(EU, (packet) => {
        seen.push(...packet.jobs)
        packet.reply(packet.jobs.map(resultOf))
        return 'accepted'
      })
      const jobs = jobsOf(3)
      const { outcome, results } = await sendAll(owner, 'eu', jobs)

      assert.deepEqual(outcome, ['accepted'])
      assert.deepEqual(seen, jobs)
      assert.deepEqual(
        results,
        jobs.map((job) => ({ ...resultOf(job), region: 'eu', probe: 'eu-1' })),
      )
      assert.deepEqual(members.errors, [])
    })

    test('sendJobs: nobody when no probe serves the region, and at once', WAIT, async () => {
      await using members = gather(kind)
      const [owner, probe] = [await members.open(), await members.open()]
      let asked = 0
      await probe.serveJobs({ region: 'us', probe: 'us-1' }, () => {
        asked++
        return 'accepted'
      })
      // The first request also sets up the inbox.
      await sendAll(owner, 'eu', jobsOf(1))
      const startMs = performance.now()
      assert.deepEqual((await sendAll(owner, 'eu', jobsOf(1))).outcome, ['nobody'])
      assert.ok(performance.now() - startMs < 200)
      assert.equal(asked, 0, 'a probe of another region gets nothing')
    })

    test('sendJobs: busy is passed on, and a probe that throws is busy', WAIT, async () => {
      await using members = gather(kind)
      const [owner, probe] = [await members.open(), await members.open()]
      const busy = await probe.serveJobs(EU, () => 'busy')
      assert.deepEqual((await sendAll(owner, 'eu', jobsOf(1))).outcome, ['busy'])
      await busy.stop()
      assert.deepEqual((await sendAll(owner, 'eu', jobsOf(1))).outcome, ['nobody'])

      await probe.serveJobs(EU, () => {
        throw new Error('broken probe')
      })
      assert.deepEqual((await sendAll(owner, 'eu', jobsOf(1))).outcome, ['busy'])
      assert.deepEqual(
        members.errors.map(({ message }) => message),
        ['broken probe'],
      )
    })

    test('sendJobs: nothing is called before the caller has returned', WAIT, async () => {
      await using members = gather(kind)
      const bus = await members.open()
      const order: string[] = []
      await bus.serveJobs(EU, ({ jobs, reply }) => {
        order.push('taken')
        reply(jobs.map(resultOf))
        return 'accepted'
      })
      const [packet] = packJobs(jobsOf(1)).packets
      assert.ok(packet)
      const { promise: answered, resolve } = Promise.withResolvers<void>()
      const sending = bus.sendJobs('eu', packet, () => {
        order.push('answered')
        resolve()
      })
      order.push('returned')
      await Promise.all([sending, answered])
      assert.deepEqual(order, ['returned', 'taken', 'answered'])
    })

    test('sendJobs: nobody shares an object with the other side', WAIT, async () => {
      await using members = gather(kind)
      const bus = await members.open()
      await bus.serveJobs(EU, ({ jobs, reply }) => {
        for (const job of jobs) job.target = 'changed'
        reply(jobs.map(resultOf))
        return 'accepted'
      })
      const jobs = jobsOf(2)
      await sendAll(bus, 'eu', jobs)
      assert.deepEqual(
        jobs.map(({ target }) => target),
        [targetOf(0), targetOf(1)],
      )
    })

    test('sendJobs: 2,000 jobs come back complete, once, packed and soon', WAIT, async () => {
      await using members = gather(kind)
      const [owner, probe] = [await members.open(), await members.open()]
      await probe.serveJobs(EU, (packet) => {
        // One by one within 100 ms, as checks end.
        for (const job of packet.jobs)
          setTimeout(() => packet.reply([resultOf(job)]), Math.random() * 100)
        return 'accepted'
      })
      const jobs = jobsOf(2000)
      const startMs = performance.now()
      const { outcome, results, messages } = await sendAll(owner, 'eu', jobs)

      assert.deepEqual(new Set(outcome), new Set(['accepted']))
      assert.deepEqual(results.map(({ id }) => id).toSorted(), jobs.map(({ id }) => id).toSorted())
      // 20 packets, each spread over 100 ms in windows of 50 ms.
      assert.ok(messages.length <= 100, `${messages.length} messages`)
      assert.ok(messages.every((count) => count <= MAX_PACKET_ITEMS))
      assert.ok(performance.now() - startMs < 2000)
    })

    test('reply: a result waits at most 50 ms for others', WAIT, async () => {
      await using members = gather(kind)
      const [owner, probe] = [await members.open(), await members.open()]
      let packet: ReceivedPacket | undefined
      await probe.serveJobs(EU, (taken) => {
        packet = taken
        return 'accepted'
      })
      const { promise: answered, resolve } = Promise.withResolvers<JobResult[]>()
      const [sent] = packJobs(jobsOf(2)).packets
      assert.ok(sent)
      assert.equal(await owner.sendJobs('eu', sent, resolve), 'accepted')
      const [first, second] = packet?.jobs ?? []
      assert.ok(packet && first && second)
      const startMs = performance.now()
      packet.reply([resultOf(first)])
      assert.equal((await answered).length, 1)
      const delayMs = performance.now() - startMs
      assert.ok(delayMs > 30 && delayMs < 250, `${delayMs} ms`)
      // A second response to the same job is a bug in the probe and is not sent.
      assert.throws(() => packet?.reply([resultOf(first)]), /twice/)
      assert.throws(() => packet?.reply([{ ...resultOf(first), id: 'other' }]), /another packet/)
    })

    test(
      'sendJobs: silent when a probe does not answer; its late results still count',
      WAIT,
      async () => {
        await using members = gather(kind)
        const [owner, probe] = [await members.open(), await members.open()]
        const taken = Promise.withResolvers<ReceivedPacket>()
        await probe.serveJobs(EU, (packet) => {
          taken.resolve(packet)
          // Blocks like a process that is suspended for a while.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700)
          return 'accepted'
        })
        const answered = Promise.withResolvers<JobResult[]>()
        const jobs = jobsOf(1)
        const [sent] = packJobs(jobs).packets
        assert.ok(sent)
        assert.equal(await owner.sendJobs('eu', sent, answered.resolve), 'silent')
        const packet = await taken.promise
        packet.reply(packet.jobs.map(resultOf))
        assert.deepEqual(
          (await answered.promise).map(({ id }) => id),
          jobs.map(({ id }) => id),
        )
      },
    )

    test('serveJobs: the probes of a region share its packets', WAIT, async () => {
      await using members = gather(kind)
      const owner = await members.open()
      const taken = new Map<string, number>()
      for (const name of ['eu-1', 'eu-2', 'eu-3']) {
        const probe = await members.open()
        await probe.serveJobs({ region: 'eu', probe: name }, ({ jobs, reply }) => {
          taken.set(name, (taken.get(name) ?? 0) + 1)
          reply(jobs.map(resultOf))
          return 'accepted'
        })
      }
      const packets = jobsOf(300).flatMap((job) => packJobs([job]).packets)
      const outcomes = await Promise.all(
        packets.map((packet) => owner.sendJobs('eu', packet, () => {})),
      )

      assert.deepEqual(new Set(outcomes), new Set(['accepted']))
      const counts = [...taken.values()]
      assert.equal(counts.length, 3)
      const total = counts.reduce((sum, count) => sum + count, 0)
      assert.equal(total, 300, 'each packet goes to one probe')
      assert.ok(Math.min(...counts) >= 50, `shared as ${counts}`)
    })

    test('request: answer, error as data, nobody, silent', WAIT, async () => {
      await using members = gather(kind)
      const [requester, owner] = [await members.open(), await members.open()]
      await owner.serveRequests('check.7', async (body) => {
        await sleep(20)
        return { echo: body }
      })
      await owner.serveRequests('check.8', () => {
        throw new Error('no such monitor')
      })
      await owner.serveRequests('check.9', () => sleep(400))
      await owner.serveRequests('check.10', () => 'x'.repeat(2_000_000))

      const body = { monitorId: 'mon_1', text: 'é', list: [1, null] }
      assert.deepEqual(await requester.request('check.7', body, 1000), {
        kind: 'answer',
        body: { echo: body },
      })
      assert.deepEqual(await requester.request('check.7', undefined, 1000), {
        kind: 'answer',
        body: {},
      })
      assert.deepEqual(await requester.request('check.8', body, 1000), {
        kind: 'error',
        message: 'no such monitor',
      })
      assert.deepEqual(await requester.request('check.6', body, 1000), { kind: 'nobody' })
      assert.deepEqual(await requester.request('check.9', body, 100), { kind: 'silent' })
      assert.deepEqual(await requester.request('check.10', body, 1000), {
        kind: 'error',
        message: 'The answer is too large.',
      })
      await assert.rejects(requester.request('check.7', 'x'.repeat(2_000_000), 1000), /larger/)
      assert.deepEqual(
        members.errors.map(({ message }) => message),
        ['no such monitor'],
      )
    })

    test('request: one of several servers answers, and many run at once', WAIT, async () => {
      await using members = gather(kind)
      const requester = await members.open()
      let served = 0
      for (const owner of [await members.open(), await members.open()])
        await owner.serveRequests('check.1', async (body) => {
          served++
          await sleep(50)
          return body
        })
      const numbers = Array.from({ length: 200 }, (_, index) => index)
      const startMs = performance.now()
      const outcomes = await Promise.all(numbers.map((n) => requester.request('check.1', n, 5000)))

      assert.deepEqual(
        outcomes,
        numbers.map((body) => ({ kind: 'answer', body })),
      )
      assert.equal(served, 200)
      assert.ok(performance.now() - startMs < 2000)
    })

    test(
      'senders: two requests of each at a time, and others are served meanwhile',
      WAIT,
      async () => {
        await using members = gather(kind)
        const [requester, owner] = [await members.open(), await members.open()]
        const released = Promise.withResolvers<void>()
        const served: string[] = []
        await owner.serveSenders('join', {
          admit: (sender) => sender !== 'refused',
          async handle(_, sender) {
            served.push(sender)
            if (sender === 'first') await released.promise
            return sender
          },
        })
        const ask = (sender: string, forMs: number) =>
          requester.request(`join.${sender}`, undefined, forMs)
        const first = ask('first', 20_000)
        const again = ask('first', 20_000)
        assert.deepEqual(await ask('first', 300), { kind: 'silent' })
        assert.deepEqual(await ask('refused', 300), { kind: 'silent' })
        assert.deepEqual(await ask('second', 5000), { kind: 'answer', body: 'second' })
        released.resolve()
        const answer = { kind: 'answer', body: 'first' }
        assert.deepEqual(
          [await first, await again, await ask('first', 5000)],
          [answer, answer, answer],
        )
        assert.deepEqual(served, ['first', 'first', 'second', 'first'])
      },
    )

    test('hint: wakes everyone who listens to the name, and nobody else', WAIT, async () => {
      await using members = gather(kind)
      const [sender, one, two] = [await members.open(), await members.open(), await members.open()]
      const woken: string[] = []
      const both = Promise.withResolvers<void>()
      const wake = (name: string) => () => {
        if (woken.push(name) === 2) both.resolve()
      }
      await one.onHint('shard.3', wake('one'))
      const second = await two.onHint('shard.3', wake('two'))
      await two.onHint('shard.4', wake('other'))
      sender.hint('shard.3')
      await both.promise
      assert.deepEqual(woken.toSorted(), ['one', 'two'])

      await second.stop()
      sender.hint('shard.3')
      sender.hint('shard.3')
      await sleep(50)
      assert.deepEqual(woken.toSorted(), ['one', 'one', 'one', 'two'])
    })

    test('announce: reaches every listener', WAIT, async () => {
      await using members = gather(kind)
      const [one, two, probe] = [await members.open(), await members.open(), await members.open()]
      const heard: Promise<ProbeAnnouncement>[] = []
      for (const listener of [one, two]) {
        const { promise, resolve } = Promise.withResolvers<ProbeAnnouncement>()
        await listener.onAnnouncement(resolve)
        heard.push(promise)
      }
      const announcement = { ...EU, capacity: 500, inFlight: 3, can: ['HTTP', 'PING'] }
      probe.announce(announcement)
      const [first, second] = await Promise.all(heard)
      const { answerKey, isDirect, ...rest } = first ?? {}
      assert.deepEqual(rest, announcement)
      assert.deepEqual(second, first)
      assert.match(answerKey ?? '', /^[\w-]{22}$/)
      assert.equal(isDirect, undefined, 'it does not serve')
    })

    test('names that would be another subject are refused', WAIT, async () => {
      await using members = gather(kind)
      const bus = await members.open()
      const [packet] = packJobs(jobsOf(1)).packets
      assert.ok(packet)
      for (const name of ['', 'a.b', '*', '>', 'a b', 'é'])
        await assert.rejects(
          bus.sendJobs(name, packet, () => {}),
          /Not a name/,
        )
      for (const name of ['', '.', 'a..b', 'a.*', '>', 'a b'])
        await assert.rejects(bus.request(name, 1, 100), /Not a name/)
      assert.throws(() => bus.hint('*'), /Not a name/)
    })

    test('close: answers what was taken, then everything is over', WAIT, async () => {
      await using members = gather(kind)
      const [owner, worker] = [await members.open(), await members.open()]
      const begun = Promise.withResolvers<void>()
      await worker.serveRequests('check.1', async () => {
        begun.resolve()
        await sleep(200)
        return 'done'
      })
      let packet: ReceivedPacket | undefined
      await worker.serveJobs(EU, (taken) => {
        packet = taken
        return 'accepted'
      })
      const results: JobResult[] = []
      const [sent] = packJobs(jobsOf(2)).packets
      assert.ok(sent)
      assert.equal(await owner.sendJobs('eu', sent, (some) => results.push(...some)), 'accepted')
      const request = owner.request('check.1', 1, 5000)
      await begun.promise
      packet?.reply(packet.jobs.slice(0, 1).map(resultOf))
      await worker.close()

      assert.deepEqual(await request, { kind: 'answer', body: 'done' })
      assert.equal(results.length, 1)
      assert.equal(worker.isConnected(), false)
      assert.deepEqual((await sendAll(owner, 'eu', jobsOf(1))).outcome, ['nobody'])
      assert.deepEqual((await sendAll(worker, 'eu', jobsOf(1))).outcome, ['nobody'])
      assert.deepEqual(await worker.request('check.1', 1, 100), { kind: 'nobody' })
      await assert.rejects(
        worker.onHint('x', () => {}),
        /closed/,
      )
      await worker.close()
    })

    test('close: who still waits for an answer is told', WAIT, async () => {
      await using members = gather(kind)
      const [owner, worker] = [await members.open(), await members.open()]
      const begun = Promise.withResolvers<void>()
      await worker.serveRequests('check.1', async () => {
        begun.resolve()
        await sleep(1000)
      })
      const request = owner.request('check.1', 1, 60_000)
      await begun.promise
      await owner.close()
      assert.deepEqual(await request, { kind: 'silent' })
    })
  })
}

function gather(kind: 'local' | 'nats'): Members {
  const errors: Error[] = []
  const buses: Bus[] = []
  const hub = new LocalHub()
  const onError = (error: Error) => void errors.push(error)
  return {
    errors,
    async open() {
      const bus =
        kind === 'local'
          ? createLocalBus({ hub, onError })
          : await openNatsBus({ url: nats.url, onError })
      buses.push(bus)
      return bus
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(buses.map((bus) => bus.close()))
    },
  }
}

type Sent = { outcome: string[]; results: JobResult[]; messages: number[] }

/** Sends all jobs in packets, and waits for all results if every packet was accepted. */
async function sendAll(bus: Bus, region: string, jobs: Job[]): Promise<Sent> {
  const results: JobResult[] = []
  const messages: number[] = []
  const all = Promise.withResolvers<void>()
  const outcome = await Promise.all(
    packJobs(jobs).packets.map((packet) =>
      bus.sendJobs(region, packet, (some) => {
        results.push(...some)
        messages.push(some.length)
        if (results.length >= jobs.length) all.resolve()
      }),
    ),
  )
  if (outcome.every((one) => one === 'accepted')) await all.promise
  return { outcome, results, messages }
}

function jobsOf(count: number): Job[] {
  return Array.from({ length: count }, (_, index) => ({
    id: newJobId(),
    orgId: `org_${index % 7}`,
    attempt: 1,
    budgetMs: 1000,
    target: targetOf(index),
  }))
}

function targetOf(index: number) {
  return { type: 'HTTP', url: `https://example.com/${index}`, requestHeaders: { 'X-A': 'é' } }
}

function resultOf(job: Job): ProbeResult {
  const attempt = { outcome: 'OK', responseMs: 12, of: job.target }
  return { id: job.id, acceptedToStartMs: 1, startedToEndMs: 12.5, attempt }
}

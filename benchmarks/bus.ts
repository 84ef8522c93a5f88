// How many jobs a second, packed by 100, does the NATS bus carry to a probe and back, and what does a job cost?
import { parseArgs } from 'node:util'
import type { Bus, Job, JobResult, ProbeResult } from '../src/bus/bus.ts'
import { openNatsBus } from '../src/bus/nats-bus.ts'
import { packJobs } from '../src/bus/packing.ts'
import { startNats } from '../tools/services/nats.ts'
import { describeMachine, watchBusyness } from './machine.ts'
import { print, printJson, printRun, table } from './report.ts'

const WARM_UP_JOBS = 20_000
const PACKETS_IN_FLIGHT = 16

const { values } = parseArgs({ options: { jobs: { type: 'string', default: '100000' } } })
const jobs = Number(values.jobs)

const nats = await startNats()
const open = () =>
  openNatsBus({
    url: nats.url,
    onError(error) {
      throw error
    },
  })
const [owner, probe] = [await open(), await open()]
try {
  await probe.serveJobs({ region: 'eu', probe: 'eu-1' }, (packet) => {
    packet.reply(packet.jobs.map(resultOf))
    return 'accepted'
  })
  await sendAndReceive(owner, WARM_UP_JOBS)
  const busy = watchBusyness()
  const [startMs, startCpu] = [performance.now(), process.cpuUsage()]
  await sendAndReceive(owner, jobs)
  const seconds = (performance.now() - startMs) / 1000
  const { user, system } = process.cpuUsage(startCpu)
  report(busy, { jobsPerSecond: jobs / seconds, cpuMicrosPerJob: (user + system) / jobs })
} finally {
  await Promise.all([owner.close(), probe.close()])
  await nats.stop()
}

/** Resolves when every job has its result. */
async function sendAndReceive(bus: Bus, count: number): Promise<void> {
  const { packets } = packJobs(Array.from({ length: count }, (_, index) => jobOf(index)))
  const all = Promise.withResolvers<void>()
  let received = 0
  const onResults = (results: JobResult[]) => {
    received += results.length
    if (received === count) all.resolve()
  }
  for (let from = 0; from < packets.length; from += PACKETS_IN_FLIGHT) {
    const some = packets.slice(from, from + PACKETS_IN_FLIGHT)
    await Promise.all(some.map((packet) => bus.sendJobs('eu', packet, onResults)))
  }
  await all.promise
}

function jobOf(index: number): Job {
  const target = {
    type: 'HTTP',
    url: `https://example.com/${index}`,
    method: 'GET',
    requestHeaders: { 'User-Agent': 'x'.repeat(300) },
    expectedStatus: [200],
  }
  return { id: `job-${index}`, orgId: 'org_1', attempt: 1, budgetMs: 10_000, target }
}

function resultOf({ id }: Job): ProbeResult {
  const attempt = { outcome: 'OK', responseMs: 12, httpStatus: 200, resolvedIp: '192.0.2.1' }
  return { id, acceptedToStartMs: 1, startedToEndMs: 12, attempt }
}

function report(
  busy: ReturnType<typeof watchBusyness>,
  found: { jobsPerSecond: number; cpuMicrosPerJob: number },
): void {
  const run = {
    question: 'Jobs packed by 100, to a probe and back over NATS',
    setting: { ...describeMachine(), jobs },
    busy: busy(),
  }
  printRun(run)
  print(
    table([
      ['jobs/s', 'CPU us per job, owner and probe together'],
      [found.jobsPerSecond.toFixed(0), found.cpuMicrosPerJob.toFixed(1)],
    ]),
  )
  printJson({ ...run, ...found })
}

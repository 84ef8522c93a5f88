// What does a PING check cost, against echo requests on a bare ICMP datagram socket? If the kernel does not permit such
// sockets, it runs in a network namespace that does.
import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createRegistrationCache } from '../src/checks/registration.ts'
import { runAttempt } from '../src/checks/run-attempt.ts'
import { createOutbound } from '../src/outbound/create-outbound.ts'
import { startEventLoopWatch } from '../src/platform/observability/event-loop-watch.ts'
import { reportGoals } from './engine-report.ts'
import { type Contender, takeTurns, toFigures } from './harness.ts'
import { cpuMicros, pin, watchBusyness } from './machine.ts'

const RANGE = '/proc/sys/net/ipv4/ping_group_range'
const CONCURRENCY = 200
// Like a PING check: three requests, 0.3 s apart.
const ECHOES = 3
const GAP_MS = 300
const PLAN = { operations: 400, rounds: 12, warmUp: 2000 }

if (!isPermitted()) {
  if (process.env['BENCH_IN_NAMESPACE'] !== undefined) throw new Error('No ICMP datagram sockets')
  const setUp = `ip link set lo up && echo '0 2147483647' > ${RANGE} && exec "$0" "$@"`
  const { status } = spawnSync(
    'unshare',
    ['-n', 'sh', '-c', setUp, process.execPath, ...process.execArgv, import.meta.filename],
    { stdio: 'inherit', env: { ...process.env, BENCH_IN_NAMESPACE: '1' } },
  )
  process.exitCode = status ?? 1
} else await compare()

function isPermitted(): boolean {
  const [from = 1, to = 0] = readFileSync(RANGE, 'utf8').trim().split(/\s+/).map(Number)
  const group = process.getgid?.() ?? 0
  return from <= group && group <= to
}

async function compare(): Promise<void> {
  pin(process.pid, '0')
  const bare = await openEcho()
  const outbound = createOutbound({
    allowCidrs: ['127.0.0.0/8'],
    dnsServers: [],
    userAgent: 'bench',
  })
  const registry = {
    bootstrapUrl: 'http://127.0.0.1:1/',
    whoisServer: '127.0.0.1',
    cache: createRegistrationCache(1),
  }
  const deps = { outbound, registry, eventLoop: startEventLoopWatch(), budgetMs: 10_000 }
  const check = async (n: number) => {
    const host = `127.0.0.${1 + (n % 20)}`
    const { outcome } = await runAttempt({ type: 'PING', host, timeoutSeconds: 10 }, deps)
    if (outcome !== 'OK') throw new Error(`PING ended with ${outcome}`)
  }
  const cpu = { node: () => cpuMicros(process.pid) }
  const contender = (one: (n: number) => Promise<void>): Contender => ({
    run: (count) => many(count, one),
    cpuMicros: cpu,
  })
  const busy = watchBusyness()
  const slots = await takeTurns({ ours: contender(check), bare: contender(bare.ping) }, PLAN)
  const [figure] = toFigures('', slots, {}).filter(({ measure }) => measure === 'cpu node')
  const { oursUs = Number.NaN, bareUs = Number.NaN } = figure ?? {}
  const setting = {
    load: `${CONCURRENCY} at once, ${ECHOES} echo requests each, ${GAP_MS} ms apart, ${PLAN.rounds} rounds of A B B A`,
    counts: 'the attempt alone, as a probe runs it: no schedule, no bus, no storage',
    pinning: 'all on core 0',
  }
  reportGoals('A PING check against a bare ICMP socket', { setting, busy }, [
    {
      goal: 'P7',
      measure: 'CPU per check',
      unit: 'us',
      ours: oursUs,
      bare: bareUs,
      atMost: 3,
      by: 'ratio',
    },
    { goal: '', measure: 'CPU per echo', unit: 'us', ours: oursUs / ECHOES, bare: bareUs / ECHOES },
  ])
  bare.close()
  await outbound.pinger.close()
  deps.eventLoop.stop()
}

async function many(count: number, one: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  // All at once would overflow the socket's buffer.
  const worker = async (_: unknown, i: number) => {
    await delay((i * GAP_MS) / CONCURRENCY)
    while (next < count) await one(next++)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

async function openEcho() {
  const { dlopen } = await import('node:ffi')
  const shape = { socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' } } as const
  const fd = dlopen(null, shape).functions.socket(2, 2, 1)
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind({ fd }, resolve))
  const waiting = new Map<number, () => void>()
  socket.on('message', (packet) => waiting.get(packet.readUInt16BE(6))?.())
  let sequence = 0
  const ping = async (n: number) => {
    for (let i = 0; i < ECHOES; i++) {
      if (i > 0) await delay(GAP_MS)
      sequence = (sequence + 1) & 0xffff
      await echo(socket, waiting, { sequence, address: `127.0.0.${1 + (n % 20)}` })
    }
  }
  return { ping, close: () => socket.close() }
}

async function echo(
  socket: Socket,
  waiting: Map<number, () => void>,
  { sequence, address }: { sequence: number; address: string },
): Promise<void> {
  const packet = Buffer.alloc(24)
  packet[0] = 8
  packet.writeUInt16BE(sequence, 6)
  await new Promise<void>((resolve) => {
    waiting.set(sequence, resolve)
    socket.send(packet, 1, address)
  })
  waiting.delete(sequence)
}

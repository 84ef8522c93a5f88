// How much CPU does blackbox_exporter use for the same requests? It neither schedules nor stores. Needs its binary:
// BLACKBOX_EXPORTER=/path/to/it node benchmarks/engine-peer.ts
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../tools/services/ports.ts'
import {
  Bare,
  type Kit,
  measureCpu,
  openKit,
  pidOf,
  SHARED_CORE,
  TESTED_CORE,
} from './engine-kit.ts'
import { type GoalRow, reportGoals } from './engine-report.ts'
import { ADDRESSES } from './engine-rows.ts'
import { cpuMicros, pin, watchBusyness } from './machine.ts'

const CONFIG = `
modules:
  page:
    prober: http
    http: { preferred_ip_protocol: ip4, tls_config: { insecure_skip_verify: true } }
`
const CONCURRENCY = 16
const PROBES = { http: 1500, https: 800 }
const WARM_UP = 2000
const SLOTS = 12
const BARE_RATE = { http: 1000, https: 200 }

type Scheme = 'http' | 'https'

const program = process.env['BLACKBOX_EXPORTER']
if (program === undefined) throw new Error('BLACKBOX_EXPORTER names no program')
const kit = await openKit({ nats: false })
const port = await findFreePort()
const config = join(kit.stack.postgres.directory, 'blackbox.yml')
writeFileSync(config, CONFIG)
const flags = [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`]
const exporter = spawn(program, [...flags, '--log.level=error'], { stdio: 'ignore' })
pin(pidOf(exporter), TESTED_CORE)
// This process generates the load.
pin(process.pid, SHARED_CORE)
try {
  await delay(1000)
  const busy = watchBusyness()
  const rows: GoalRow[] = []
  for (const scheme of ['http', 'https'] as const) {
    const bare = await bareCost(kit, scheme)
    const ours = await peerCost(kit, scheme)
    rows.push({ goal: '', measure: `blackbox_exporter, ${scheme}`, unit: 'us', ours, bare })
  }
  const setting = {
    pinning: 'exporter or bare loop on core 0; load and target on core 1',
    columns: 'ours: blackbox_exporter; bare: node:http or node:https on fresh connections',
  }
  reportGoals('CPU per probe of blackbox_exporter', { setting, busy }, rows)
} finally {
  exporter.kill()
  await kit.close()
}

async function peerCost({ ports }: Kit, scheme: Scheme): Promise<number> {
  const targets = Array.from({ length: ADDRESSES }, (_, i) =>
    encodeURIComponent(`${scheme}://127.0.0.${i + 1}:${ports[scheme]}/at/0/30000`),
  )
  await probe(targets, WARM_UP)
  const costs: number[] = []
  for (let slot = 0; slot < SLOTS; slot++) {
    const before = cpuMicros(pidOf(exporter))
    await probe(targets, PROBES[scheme])
    costs.push((cpuMicros(pidOf(exporter)) - before) / PROBES[scheme])
  }
  return Math.min(...costs)
}

/** Runs `count` probes, some in parallel; each must report success. */
async function probe(targets: readonly string[], count: number): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const target = targets[next++ % targets.length]
      const answer = await fetch(`http://127.0.0.1:${port}/probe?module=page&target=${target}`)
      if (!/^probe_success 1$/m.test(await answer.text())) throw new Error(`${target} failed`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

async function bareCost(kit: Kit, scheme: Scheme): Promise<number> {
  const loop = new Bare()
  const targets = Array.from({ length: BARE_RATE[scheme] }, (_, i) => ({
    host: `127.0.0.${1 + (i % ADDRESSES)}`,
    phaseMs: (i * 1000) / BARE_RATE[scheme],
  }))
  const running = loop.request({
    scheme,
    port: kit.ports[scheme],
    intervalMs: 1000,
    durationMs: 20_000,
    targets,
  })
  await delay(4000)
  const slots = await measureCpu(kit, [pidOf(loop.process)], { slots: SLOTS, slotMs: 1000 })
  await running
  loop.stop()
  return Math.min(...slots.map(({ nodeUs }) => nodeUs))
}

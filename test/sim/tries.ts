// Lets regions try targets, so that they may decide about them later. A try is no result.
import { regionsToTry } from '../../src/domain/regions/reach.ts'
import { type Flight, type Place, toAttempt, toFindings, toRegion } from './flight.ts'
import type { Region } from './nature.ts'
import type { Job, Network, ProbeResponse } from './network.ts'
import { applyTry } from './proofs.ts'
import type { Store } from './store.ts'
import type { Process, World } from './world.ts'

const MAX_BUDGET_MS = 10_000
const MARGIN_MS = 2_000

type Deps = { world: World; store: Store; network: Network; now(): Date }

export function createTries({ world, store, network, now }: Deps, self: Process) {
  const running = new Set<string>()
  let count = 0

  function begin(flight: Flight, region: Region): void {
    const { monitor, slot } = flight
    const key = `${monitor.uuid} ${region}`
    if (running.has(key)) return
    running.add(key)
    const budgetMs = Math.min(monitor.timeoutSeconds * 1000, MAX_BUDGET_MS)
    const job: Job = {
      id: `${self.name}-${self.generation}-try-${++count}`,
      kind: 'TRY',
      monitor,
      slot,
      number: 1,
      region,
      budgetMs,
      token: null,
      // The same private address may be another host there.
      privateTargets: !world.guards('private-try'),
      egress: { when: 'NEVER', pairs: [] },
    }
    const startedAt = now()
    const close = () => running.delete(key)
    world.run(self, budgetMs + MARGIN_MS, close)
    network.send(self, job, {
      accepted: () => {},
      answered: (response) => running.delete(key) && record(flight, job, response, startedAt),
    })
  }

  // A fault of the probe is no try: the next check asks again.
  function record(flight: Flight, job: Job, response: ProbeResponse, startedAt: Date): void {
    const { region } = job
    const times = { region, startedAt, endedAt: now(), stalled: response.stalled }
    const attempt = toAttempt(world, times, response.found)
    if (attempt.outcome === 'FAULT') return
    const [finding] = toFindings([attempt])
    const { monitor, proofs } = flight
    world.log(self.name, `${monitor.name} tried from ${region}: ${attempt.outcome}`)
    store.transact(
      self,
      (tx) => applyTry(world, tx, { monitor, proofs, region, finding, now: now() }),
      () => {},
    )
  }

  return {
    forget: () => running.clear(),
    after(flight: Flight, { home, plan }: Place, passed: boolean): void {
      const { monitor, proofs } = flight
      const isPrivate = plan.isPrivate || toFindings(flight.attempts).some((one) => one.isPrivate)
      const rules = {
        type: monitor.type,
        method: plan.method,
        base: plan.base,
        home,
        isPrivate: isPrivate && world.guards('private-try'),
        liveRegions: network.liveRegions(),
        passed,
      }
      for (const name of regionsToTry(proofs, rules, now())) {
        const region = toRegion(name)
        if (region !== undefined) begin(flight, region)
      }
    },
  }
}

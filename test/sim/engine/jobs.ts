// Jobs of a simulation: they send pings to their heartbeat monitors, again and again until one is taken, except while they
// are silent.
import type { Run } from '../../oracle/run.ts'
import { instant, short } from '../../oracle/run.ts'
import { type Job, type Spell, spellAt } from './world.ts'

const TRY_AGAIN_MS = 2000
const TIMEOUT_MS = 5000
// Schedulers that die, and locks of their leases.
const NOTICED_MS = 120_000

type Sender = (token: string) => Promise<void>

/** Each sends a ping once in its period. */
export function startJobs(jobs: readonly Job[], tokenOf: ReadonlyMap<Job, string>, send: Sender) {
  for (const job of jobs) {
    const ping = (): void => {
      if (spellAt(job.silences, Date.now())) return void setTimeout(ping, TRY_AGAIN_MS)
      let isOver = false
      const then = (ms: number) => {
        if (isOver) return
        isOver = true
        setTimeout(ping, ms)
      }
      setTimeout(() => then(0), TIMEOUT_MS)
      send(tokenOf.get(job) ?? '').then(
        () => then(job.periodSeconds * 1000),
        () => then(TRY_AGAIN_MS),
      )
    }
    ping()
  }
}

type Judged = { uuidOf: ReadonlyMap<Job, string>; faults: readonly Spell[]; endMs: number }

/** A job that was silent for long was DOWN meanwhile, and no other ever was. */
export function judgeJobs(run: Run, { uuidOf, faults, endMs }: Judged): string[] {
  return [...uuidOf].flatMap(([job, uuid]) => {
    const monitor = run.monitors.find((row) => row.uuid === uuid)
    const down = run.spans.filter(
      ({ monitorNo, state }) => monitorNo === monitor?.no && state === 'DOWN',
    )
    const patienceMs = (job.periodSeconds + job.graceSeconds) * 1000
    const wrong = down.filter(
      ({ startedMs }) =>
        !job.silences.some(
          ({ fromMs, toMs }) => fromMs < startedMs && startedMs - patienceMs - TIMEOUT_MS < toMs,
        ),
    )
    const hidden = job.silences.filter(({ fromMs, toMs }) => {
      const own = faults.filter((fault) => fault.fromMs < toMs && fault.toMs > fromMs)
      const excusedMs = own.reduce((sum, fault) => sum + fault.toMs - fault.fromMs, 0)
      const isLong = toMs - fromMs > patienceMs + NOTICED_MS + excusedMs
      return (
        isLong &&
        !down.some(({ startedMs, endedMs }) => {
          return startedMs < toMs && (endedMs ?? endMs) > fromMs
        })
      )
    })
    const isDown = monitor?.state !== 'UP'
    return [
      ...wrong.map(
        ({ startedMs }) => `PING ${short(uuid)}: missed at ${instant(startedMs)}, but sent`,
      ),
      ...hidden.map(
        ({ fromMs }) => `PING ${short(uuid)}: silent from ${instant(fromMs)}, never DOWN`,
      ),
      ...(isDown ? [`PING ${short(uuid)}: ${monitor?.state} in the end`] : []),
    ]
  })
}

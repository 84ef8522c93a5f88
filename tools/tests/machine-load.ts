// How busy the machine is, by browsers, servers and what the tests of others started too: they are in no suite's
// CPU time.
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Since the call: to print once everything has run. */
export function watchMachine(): () => string {
  const before = read()
  const startedAt = performance.now()
  return () => {
    const now = read()
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    const [busy, all] = [now.busy - before.busy, now.all - before.all]
    const percent = Math.round((100 * busy) / Math.max(1, all))
    const cpuMinutes = Math.round(busy / 60_000)
    return `${minutes} min, processors ${percent}% busy, ${cpuMinutes} CPU min with everything on the machine${stolen(before, now)}`
  }
}

type Reading = { busy: number; all: number; steal: number }

/** A host that serves others at times: the same tests then take longer. */
function stolen(before: Reading, now: Reading): string {
  const percent = Math.round((100 * (now.steal - before.steal)) / Math.max(1, now.all - before.all))
  return percent > 0 ? `, ${percent}% taken by the host` : ''
}

function read(): Reading {
  const sum = { busy: 0, all: 0, steal: readSteal() }
  for (const { times } of cpus()) {
    const all = Object.values(times).reduce((total, ms) => total + ms, 0)
    sum.all += all
    sum.busy += all - times.idle
  }
  return sum
}

// Ticks of 10 ms. Other systems do not tell.
const TICK_MS = 10

function readSteal(): number {
  if (process.platform !== 'linux') return 0
  const [, ...ticks] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/\s+/) ?? []
  return Number(ticks[7] ?? 0) * TICK_MS
}

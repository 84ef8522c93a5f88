// How busy the machine is, by browsers, servers and what the tests of others started too: they are in no suite's
// CPU time.
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
    return `${minutes} min, processors ${percent}% busy, ${cpuMinutes} CPU min with everything on the machine`
  }
}

function read(): { busy: number; all: number } {
  const sum = { busy: 0, all: 0 }
  for (const { times } of cpus()) {
    const all = Object.values(times).reduce((total, ms) => total + ms, 0)
    sum.all += all
    sum.busy += all - times.idle
  }
  return sum
}

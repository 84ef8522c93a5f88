// Other work beside what is measured: a process on the same core that takes a share of it in bursts, before everyone
// else if it may. That is what a neighbor on the host (steal) looks like from inside. Started by engine-kit.ts.
import { setPriority } from 'node:os'

const HIGHEST = -20
const [, , share = '0.03', burstMs = '30'] = process.argv
const BURST_MS = Number(burstMs)
const PAUSE_MS = BURST_MS / Number(share) - BURST_MS

process.on('disconnect', () => process.exit(0))
try {
  setPriority(HIGHEST)
  process.send?.({ isFirst: true })
} catch {
  // Only root may. Then it is ordinary work, which the scheduler of the system interleaves.
  process.send?.({ isFirst: false })
}
work()

function work(): void {
  const endMs = performance.now() + BURST_MS
  while (performance.now() < endMs) Math.sqrt(endMs)
  setTimeout(work, Math.max(1, PAUSE_MS))
}

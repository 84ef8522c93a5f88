// All attacks at once are about a thousand requests a second, each as costly as possible. On two cores shared by
// attacker, product and database the processor is the limit, not a lock or a queue, so the latency bounds are relaxed.
// Still, nothing may fail or arrive late.
import { assault } from './assault.ts'

assault('Everything at once: one organization at its worst for 30 s holds up nobody', {
  attack: 'together',
  leastSeconds: 30,
  bounds: { maxP99Ms: 1_500, maxLivezMs: 400, timesQuiet: 100 },
  atLeast: {
    'draft ': 20,
    'write ': 200,
    'passwords ': 60,
    connected: 800,
    'calendar ': 8,
    'stream ': 1_000,
  },
})

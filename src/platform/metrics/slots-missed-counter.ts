import { Counter, type Registry } from 'prom-client'

const NAME = 'upvane_slots_missed_total'

/** One counter per process: schedulers write off slots, and so does the API when a monitor is changed or paused. */
export function slotsMissedCounter(registry: Registry): Counter {
  const existing = registry.getSingleMetric(NAME)
  if (existing instanceof Counter) return existing
  return new Counter({
    name: NAME,
    help: 'Slots written off without a check, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
}

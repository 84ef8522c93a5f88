// Shows the operator's own monitoring whether the work is done.
import { Gauge, type Registry } from 'prom-client'

export class SelfWatchMetrics {
  readonly #trouble: Gauge
  readonly #troubled: Gauge
  readonly #lateShards: Gauge
  readonly #codes: readonly string[]

  constructor(registry: Registry, codes: readonly string[]) {
    const gauge = (name: string, help: string, labelNames: string[] = []) =>
      new Gauge({ name: `upvane_${name}`, help, labelNames, registers: [registry] })
    this.#codes = codes
    this.#trouble = gauge(
      'trouble',
      '1 while the service has this trouble, as far as this process knows.',
      ['code'],
    )
    this.#troubled = gauge('self_watch_troubled', '1 while the service has any trouble.')
    this.#lateShards = gauge(
      'self_watch_late_shards',
      'Of 256 shards, those with a check that is late.',
    )
    this.setTroubles([])
  }

  setTroubles(codes: readonly string[]): void {
    for (const code of this.#codes) this.#trouble.set({ code }, codes.includes(code) ? 1 : 0)
    this.#troubled.set(codes.length > 0 ? 1 : 0)
  }

  lateShards(count: number): void {
    this.#lateShards.set(count)
  }
}

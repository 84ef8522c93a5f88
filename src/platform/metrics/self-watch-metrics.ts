// Shows the operator's own monitoring whether the work is done.
import { Gauge, type Registry } from 'prom-client'

export class SelfWatchMetrics {
  /** Each under its name and the one it had before, for a version. */
  readonly #condition: readonly Gauge[]
  readonly #anyCondition: readonly Gauge[]
  readonly #lateShards: Gauge
  readonly #codes: readonly string[]

  constructor(registry: Registry, codes: readonly string[]) {
    const gauge = (name: string, help: string, labelNames: string[] = []) =>
      new Gauge({ name: `upvane_${name}`, help, labelNames, registers: [registry] })
    this.#codes = codes
    this.#condition = ['condition', 'trouble'].map((name) =>
      gauge(name, '1 while the service has this condition, as far as this process knows.', [
        'code',
      ]),
    )
    this.#anyCondition = ['self_watch_condition', 'self_watch_troubled'].map((name) =>
      gauge(name, '1 while the service has any condition.'),
    )
    this.#lateShards = gauge(
      'self_watch_late_shards',
      'Of 256 shards, those with a check that is late.',
    )
    this.setConditions([])
  }

  setConditions(codes: readonly string[]): void {
    for (const gauge of this.#condition)
      for (const code of this.#codes) gauge.set({ code }, codes.includes(code) ? 1 : 0)
    for (const gauge of this.#anyCondition) gauge.set(codes.length > 0 ? 1 : 0)
  }

  lateShards(count: number): void {
    this.#lateShards.set(count)
  }
}

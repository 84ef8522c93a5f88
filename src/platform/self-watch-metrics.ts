// What tells an operator's own watch whether the work is done.
import { Gauge, type Registry } from 'prom-client'

export class SelfWatchMetrics {
  readonly #troubled: Gauge
  readonly #lateShards: Gauge

  constructor(registry: Registry) {
    const registers = [registry]
    this.#troubled = new Gauge({
      name: 'upvane_self_watch_troubled',
      help: '1 while the installation does not do its work: checks or alerts late, no scheduler, no database.',
      registers,
    })
    this.#lateShards = new Gauge({
      name: 'upvane_self_watch_late_shards',
      help: 'Of 256 shards, those with a check that is late.',
      registers,
    })
  }

  seen(isTroubled: boolean, lateShards: number): void {
    this.#troubled.set(isTroubled ? 1 : 0)
    this.#lateShards.set(lateShards)
  }
}

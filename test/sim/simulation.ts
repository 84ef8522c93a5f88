import type { Nature } from './nature.ts'
import type { Network } from './network.ts'
import type { MonitorRow, Store } from './store.ts'
import type { World } from './world.ts'

export type Simulation = {
  world: World
  store: Store
  network: Network
  nature: Nature
  received: number[]
  /** All that were created, including those deleted since. */
  monitors: readonly MonitorRow[]
}

// One node of a cluster: a Patroni and the PostgreSQL that it runs. Both can be lost, with the disk.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freezeServer, killServer, thawServer } from '../services/server-signals.ts'
import type { NodePlace } from './config.ts'

const ASK_TIMEOUT_MS = 1000
const SEGMENT_LINE = 6

export class ClusterNode {
  readonly place: NodePlace
  readonly #launch: () => number
  #pid = 0

  /** `launch` starts Patroni and returns its pid. */
  constructor(place: NodePlace, launch: () => number) {
    this.place = place
    this.#launch = launch
  }

  /** Patroni copies the data of the primary if there is none. */
  start(): void {
    this.#pid = this.#launch()
  }

  isPrimary(): Promise<boolean> {
    return this.#is('primary')
  }

  /** Whether Patroni would promote it: only a standby that etcd names as synchronous. */
  isSynchronous(): Promise<boolean> {
    return this.#is('synchronous')
  }

  #is(role: string): Promise<boolean> {
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS)
    return fetch(`http://127.0.0.1:${this.place.apiPort}/${role}`, { signal }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false,
    )
  }

  /** As if the machine burned: nothing on it says goodbye, and its disk is gone. */
  async loseMachine(): Promise<void> {
    const [postmaster, segment] = this.#readLockFile()
    await killServer(this.#pid)
    if (postmaster !== undefined) await killServer(postmaster)
    this.#loseDisk(segment)
  }

  /** PostgreSQL and its disk are gone; Patroni survives and notices. */
  async losePostgres(): Promise<void> {
    const [postmaster, segment] = this.#readLockFile()
    // Else it could restart PostgreSQL before the disk is gone.
    freezeServer(this.#pid)
    if (postmaster !== undefined) await killServer(postmaster)
    this.#loseDisk(segment)
    thawServer(this.#pid)
  }

  #loseDisk(segment: string | undefined): void {
    rmSync(this.place.data, { recursive: true, force: true })
    // A killed PostgreSQL leaves its System V segment behind.
    if (segment !== undefined) spawnSync('ipcrm', ['-m', segment])
  }

  #readLockFile(): [pid: number | undefined, segment: string | undefined] {
    try {
      const lines = readFileSync(join(this.place.data, 'postmaster.pid'), 'utf8').split('\n')
      return [Number(lines[0]), lines[SEGMENT_LINE]?.trim().split(' ').at(-1)]
    } catch {
      // It does not run.
      return [undefined, undefined]
    }
  }
}

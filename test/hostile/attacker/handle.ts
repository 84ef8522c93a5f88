// The attacker's process, as the suite controls it.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Grounds, Order, Report, ServerAddresses, Tally } from './grounds.ts'

type Done = { tally: Tally }
/** How long to wait for an attack that does not end by itself. */
const GRACE_SECONDS = 60

export class Attacker {
  readonly servers: ServerAddresses
  readonly #child: ChildProcess
  #orders = 0

  private constructor(child: ChildProcess, servers: ServerAddresses) {
    this.#child = child
    this.servers = servers
  }

  static async start(): Promise<Attacker> {
    // It is not a test file, whatever started this process.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const child = fork(join(import.meta.dirname, 'main.ts'), {
      execArgv: [],
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const servers = await new Promise<ServerAddresses>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The attacker ended with ${code}.`)))
      child.on('message', (report: Report) => {
        if (report.type === 'ready') resolve(report.servers)
      })
    })
    return new Attacker(child, servers)
  }

  prepare(attack: string, grounds: Grounds): Promise<Done> {
    return this.#order({ type: 'prepare', attack, grounds, seconds: 0 })
  }

  attack(attack: string, grounds: Grounds, seconds: number): Promise<Done> {
    return this.#order({ type: 'attack', attack, grounds, seconds })
  }

  stop(): void {
    const order: Order = { type: 'stop' }
    if (this.#child.connected) this.#child.send(order)
  }

  #order(order: Omit<Exclude<Order, { type: 'stop' }>, 'id'>): Promise<Done> {
    const id = this.#orders++
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        clearTimeout(timer)
        this.#child.off('message', hear)
        end()
      }
      const hear = (report: Report) => {
        if (report.type === 'ready' || report.id !== id) return
        finish(() => (report.type === 'done' ? resolve(report) : reject(new Error(report.words))))
      }
      const timer = setTimeout(
        () => finish(() => reject(new Error(`"${order.attack}" did not end.`))),
        (order.seconds + GRACE_SECONDS) * 1000,
      )
      this.#child.on('message', hear)
      this.#child.send({ ...order, id })
    })
  }
}

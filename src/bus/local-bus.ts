// The bus within a single process. It behaves like the one between processes: handlers run only after the caller has
// returned, no objects are shared, and probes of a region take turns.
import type { Bus, Serving } from './bus.ts'
import { type OnError, type Subscription, toError, type Wire, type WireMessage } from './wire.ts'
import { createWireBus, LOCAL_OWNER } from './wire-bus.ts'

const MAX_UNDELIVERED = 10_000

type LocalBusOptions = {
  onError: OnError
  /** Buses on the same hub receive each other's messages. */
  hub?: LocalHub
}

export function createLocalBus({ onError, hub = new LocalHub() }: LocalBusOptions): Bus {
  return createWireBus(createLocalWire(hub, onError), LOCAL_OWNER, onError)
}

function createLocalWire(hub: LocalHub, onError: OnError): Wire {
  const listeners = new Set<Listener>()
  let isOpen = true
  return {
    publish: (subject, text, reply = '') =>
      isOpen && hub.publish({ subject, text, reply, noResponders: false }),
    async subscribe(subscription): Promise<Serving> {
      if (!isOpen) throw new Error('The bus is closed.')
      const listener = { subscription, onError }
      listeners.add(listener)
      hub.add(listener)
      return {
        async stop() {
          listeners.delete(listener)
          hub.remove(listener)
        },
      }
    },
    isConnected: () => isOpen,
    async close() {
      isOpen = false
      for (const listener of listeners) hub.remove(listener)
      // Messages published before are delivered first.
      await new Promise(setImmediate)
    },
  }
}

type Listener = { subscription: Subscription; onError: OnError }

export class LocalHub {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #patterns = new Map<string, RegExp>()
  readonly #nextIndexes = new Map<string, number>()
  #undelivered = 0

  add(listener: Listener): void {
    const { subject } = listener.subscription
    const listeners = this.#listeners.get(subject) ?? new Set()
    this.#listeners.set(subject, listeners.add(listener))
    if (subject.includes('*')) this.#patterns.set(subject, toPattern(subject))
  }

  remove(listener: Listener): void {
    const { subject, queue = '' } = listener.subscription
    const listeners = this.#listeners.get(subject)
    listeners?.delete(listener)
    if (listeners?.size !== 0) return
    this.#listeners.delete(subject)
    this.#patterns.delete(subject)
    this.#nextIndexes.delete(`${subject} ${queue}`)
  }

  publish(message: WireMessage): boolean {
    if (this.#undelivered >= MAX_UNDELIVERED) return false
    const receivers = this.#receiversOf(message.subject)
    for (const receiver of receivers) this.#deliver(receiver, message)
    if (receivers.length > 0 || message.reply === '') return true
    return this.publish({ subject: message.reply, text: '', reply: '', noResponders: true })
  }

  #receiversOf(subject: string): Listener[] {
    const receivers = this.#chooseFrom(subject)
    for (const [name, pattern] of this.#patterns)
      if (pattern.test(subject)) receivers.push(...this.#chooseFrom(name))
    return receivers
  }

  #chooseFrom(name: string): Listener[] {
    const chosen: Listener[] = []
    const queues = new Map<string, Listener[]>()
    for (const listener of this.#listeners.get(name) ?? []) {
      const { queue } = listener.subscription
      if (queue === undefined) chosen.push(listener)
      else queues.set(queue, [...(queues.get(queue) ?? []), listener])
    }
    for (const [queue, members] of queues) chosen.push(this.#nextOf(`${name} ${queue}`, members))
    return chosen
  }

  #nextOf(queueName: string, members: Listener[]): Listener {
    const index = (this.#nextIndexes.get(queueName) ?? 0) % members.length
    this.#nextIndexes.set(queueName, index + 1)
    // Safe because a queue is listed only once it has a member, and the index is below the member count.
    return members[index] as Listener
  }

  #deliver({ subscription, onError }: Listener, message: WireMessage): void {
    this.#undelivered++
    setImmediate(() => {
      this.#undelivered--
      try {
        subscription.onMessage(message)
      } catch (error) {
        onError(toError(error))
      }
    })
  }
}

function toPattern(subject: string): RegExp {
  const parts = subject.split('.').map((part) => (part === '*' ? '[^.]+' : part))
  return new RegExp(`^${parts.join('\\.')}$`)
}

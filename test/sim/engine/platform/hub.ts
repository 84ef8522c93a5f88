// The messages between simulated processes: each takes its time, and may be lost, arrive twice, or find its receiver cut
// off. Messages from one process to another stay in order, as with NATS.
import type { Serving } from '../../../../src/bus/bus.ts'
import type { Subscription, Wire, WireMessage } from '../../../../src/bus/wire.ts'
import { type Owner, reach, runAsWorld } from './virtual-time.ts'

type MessageFate = { delayMs: number; copies: number; crash?: 'SENDER' | 'RECEIVER' | 'FREEZE' }

type HubHooks = {
  fateOf(from: Owner, to: Owner, subject: string): MessageFate
  isCutOff(owner: Owner): boolean
  crash(owner: Owner): void
  freeze(owner: Owner): void
  delivered(from: Owner, to: Owner, message: WireMessage): void
}

type Listener = { owner: Owner; subscription: Subscription; pattern: RegExp }

export class SimHub {
  readonly #hooks: HubHooks
  #listeners: Listener[] = []
  readonly #turns = new Map<string, number>()
  readonly #lastMs = new Map<string, number>()

  constructor(hooks: HubHooks) {
    this.#hooks = hooks
  }

  wireOf(owner: Owner): Wire {
    let isOpen = true
    const isConnected = () => isOpen && !this.#hooks.isCutOff(owner)
    return {
      publish: (subject, text, reply = '') => {
        if (!isConnected() || owner.isDead) return false
        this.#publish(owner, { subject, text, reply, noResponders: false })
        return true
      },
      subscribe: async (subscription): Promise<Serving> => {
        const listener = { owner, subscription, pattern: toPattern(subscription.subject) }
        this.#listeners.push(listener)
        return {
          stop: async () => {
            this.#listeners = this.#listeners.filter((other) => other !== listener)
          },
        }
      },
      isConnected,
      close: async () => {
        isOpen = false
        this.forget(owner)
      },
    }
  }

  forget(owner: Owner): void {
    this.#listeners = this.#listeners.filter((listener) => listener.owner !== owner)
  }

  #publish(from: Owner, message: WireMessage): void {
    const receivers = this.#receiversOf(message.subject)
    for (const receiver of receivers) this.#send(from, receiver, message)
    if (receivers.length > 0 || message.reply === '') return
    const nobody = { subject: message.reply, text: '', reply: '', noResponders: true }
    for (const receiver of this.#receiversOf(message.reply)) this.#send(from, receiver, nobody)
  }

  #receiversOf(subject: string): Listener[] {
    const chosen: Listener[] = []
    const queues = new Map<string, Listener[]>()
    for (const listener of this.#listeners) {
      const { owner, subscription, pattern } = listener
      if (owner.isDead || this.#hooks.isCutOff(owner) || !pattern.test(subject)) continue
      if (subscription.queue === undefined) chosen.push(listener)
      else {
        const name = `${subscription.subject} ${subscription.queue}`
        queues.set(name, [...(queues.get(name) ?? []), listener])
      }
    }
    for (const [name, members] of queues) {
      const turn = this.#turns.get(name) ?? 0
      this.#turns.set(name, turn + 1)
      const member = members[turn % members.length]
      if (member !== undefined) chosen.push(member)
    }
    return chosen
  }

  #send(from: Owner, listener: Listener, message: WireMessage): void {
    const { owner: to } = listener
    const { delayMs, copies, crash } = this.#hooks.fateOf(from, to, message.subject)
    const line = `${from.name}>${to.name}`
    const nowMs = performance.now()
    const atMs = Math.max(nowMs + delayMs, this.#lastMs.get(line) ?? 0)
    this.#lastMs.set(line, atMs)
    runAsWorld(() => {
      // Just before the message arrives.
      if (crash === 'FREEZE') setTimeout(() => this.#hooks.freeze(to), atMs - nowMs)
      for (let copy = 0; copy < copies; copy++)
        setTimeout(() => this.#deliver(from, listener, message), atMs - nowMs)
      if (crash === 'SENDER' || crash === 'RECEIVER')
        setTimeout(() => this.#hooks.crash(crash === 'SENDER' ? from : to), atMs - nowMs)
    })
  }

  #deliver(from: Owner, listener: Listener, message: WireMessage): void {
    const { owner, subscription } = listener
    const isGone = owner.isDead || !this.#listeners.includes(listener)
    if (isGone || this.#hooks.isCutOff(owner)) return
    this.#hooks.delivered(from, owner, message)
    reach(owner, () => subscription.onMessage(message))
  }
}

function toPattern(subject: string): RegExp {
  const parts = subject.split('.').map((part) => (part === '*' ? '[^.]+' : escape(part)))
  return new RegExp(`^${parts.join('\\.')}$`)
}

const escape = (text: string) => text.replaceAll(/[$()*+?[\\\]^{|}]/g, '\\$&')

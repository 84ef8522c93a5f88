// Starts work a few pieces at a time. If hundreds of requests arrive in one turn of the event loop, everything already
// in flight (a database response, a timer, a health check) would wait until all of them have started.

/** How many start before everything else gets a turn. */
const STARTS_PER_TURN = 8

type Start = () => void

export class StartQueue {
  /** Waiting starts by key. The first key is next in turn; no queue is empty. */
  readonly #waiting = new Map<string, Start[]>()
  #startedInTurn = 0
  #isTurnPlanned = false

  /** Starts immediately if there is room, otherwise when it is the key's turn. */
  run(key: string, start: Start): void {
    if (this.#waiting.size === 0 && this.#startedInTurn < STARTS_PER_TURN) this.#start(start)
    else this.#enqueue(key, start)
    this.#planTurn()
  }

  #start(start: Start): void {
    this.#startedInTurn += 1
    start()
  }

  #enqueue(key: string, start: Start): void {
    const queue = this.#waiting.get(key)
    if (queue === undefined) this.#waiting.set(key, [start])
    else queue.push(start)
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#isTurnPlanned = false
    this.#startedInTurn = 0
    if (this.#waiting.size === 0) return
    this.#planTurn()
    while (this.#startedInTurn < STARTS_PER_TURN) {
      const start = this.#takeNext()
      if (start === undefined) return
      this.#start(start)
    }
  }

  #takeNext(): Start | undefined {
    const [next] = this.#waiting
    if (next === undefined) return undefined
    const [key, queue] = next
    const start = queue.shift()
    this.#waiting.delete(key)
    if (queue.length > 0) this.#waiting.set(key, queue)
    return start
  }
}

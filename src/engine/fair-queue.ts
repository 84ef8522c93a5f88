// Limits concurrent tasks per key, so that a key with many slow tasks delays only itself. `capacity` bounds running and
// waiting tasks together; callers check hasRoom() first.

type Task = () => Promise<unknown>
type QueueLimits = { capacity: number; perKey: number }

export class FairQueue {
  readonly #limits: QueueLimits
  readonly #runningByKey = new Map<string, number>()
  readonly #waitingByKey = new Map<string, Task[]>()
  #running = 0
  #waiting = 0
  #onEmpty: (() => void)[] = []

  constructor(bounds: QueueLimits) {
    this.#limits = bounds
  }

  /** Running and waiting. */
  get size(): number {
    return this.#running + this.#waiting
  }

  hasRoom(count: number): boolean {
    return this.size + count <= this.#limits.capacity
  }

  /** The task must not throw: nothing handles its error. */
  run(key: string, task: Task): void {
    const waiting = this.#waitingByKey.get(key)
    if (waiting === undefined && (this.#runningByKey.get(key) ?? 0) < this.#limits.perKey)
      return this.#start(key, task)
    this.#waiting += 1
    if (waiting === undefined) this.#waitingByKey.set(key, [task])
    else waiting.push(task)
  }

  async drained(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve))
  }

  #start(key: string, task: Task): void {
    this.#running += 1
    this.#runningByKey.set(key, (this.#runningByKey.get(key) ?? 0) + 1)
    void task().finally(() => this.#end(key))
  }

  #end(key: string): void {
    this.#running -= 1
    const left = (this.#runningByKey.get(key) ?? 1) - 1
    if (left === 0) this.#runningByKey.delete(key)
    else this.#runningByKey.set(key, left)
    this.#startNext(key)
    if (this.size > 0) return
    for (const resolve of this.#onEmpty.splice(0)) resolve()
  }

  #startNext(key: string): void {
    const waiting = this.#waitingByKey.get(key)
    const next = waiting?.shift()
    if (next === undefined) return
    if (waiting?.length === 0) this.#waitingByKey.delete(key)
    this.#waiting -= 1
    this.#start(key, next)
  }
}

// The next slots of all monitors, the soonest first, as columns of numbers. An object for each of a million monitors
// would take several times the memory, and every garbage collection would have to visit them all.

export type WaitingSlot = {
  monitorNo: number
  shard: number
  epoch: number
  intervalSeconds: number
  /** The slot that is due in the database, in Unix milliseconds. */
  dueMs: number
  /** When it runs, in Unix milliseconds; for a late one, the latest time. */
  fireMs: number
  isLate: boolean
  /** The deadline of a CRON monitor: a single event, which is reported even if it is late. */
  isDeadline: boolean
  /** How often its check has ended without a result, through our own fault. */
  repeats: number
}

const FIRST_CAPACITY = 1024
const GROWTH = 1.25
// From this share on, removing one by one would take longer than arranging the others anew.
const REBUILT_FROM = 0.25
// What fits its column.
const MAX_REPEATS = 255

const createColumns = (capacity: number) => ({
  monitorNo: new Float64Array(capacity),
  dueMs: new Float64Array(capacity),
  fireMs: new Float64Array(capacity),
  intervalSeconds: new Int32Array(capacity),
  epoch: new Int32Array(capacity),
  shard: new Uint8Array(capacity),
  isLate: new Uint8Array(capacity),
  isDeadline: new Uint8Array(capacity),
  repeats: new Uint8Array(capacity),
  /** A binary heap of rows by `fireMs`, and the place of each row in it. */
  heap: new Int32Array(capacity),
  place: new Int32Array(capacity),
})
type Columns = ReturnType<typeof createColumns>
type Column = Columns[keyof Columns]

/** Reads a row that exists. */
const read = (column: Column, row: number): number => column[row] ?? Number.NaN

/** At most one slot for each monitor. Rows are kept without gaps: the last one fills the place of one that is removed. */
export class WaitingSlots {
  #columns = createColumns(FIRST_CAPACITY)
  #capacity = FIRST_CAPACITY
  readonly #rows = new Map<number, number>()
  #size = 0
  #late = 0

  get size(): number {
    return this.#size
  }

  /** Whether exactly this slot of the monitor is waiting. */
  has(monitorNo: number, epoch: number, dueMs: number): boolean {
    const row = this.#rows.get(monitorNo)
    if (row === undefined) return false
    return read(this.#columns.epoch, row) === epoch && read(this.#columns.dueMs, row) === dueMs
  }

  find(monitorNo: number): WaitingSlot | undefined {
    const row = this.#rows.get(monitorNo)
    return row === undefined ? undefined : this.#slotAt(row)
  }

  /** The monitor must not have a slot yet. */
  add(slot: WaitingSlot): void {
    if (this.#rows.has(slot.monitorNo)) throw new Error('The monitor has a slot already')
    if (this.#size === this.#capacity) this.#grow()
    const row = this.#size++
    const columns = this.#columns
    columns.monitorNo[row] = slot.monitorNo
    columns.dueMs[row] = slot.dueMs
    columns.fireMs[row] = slot.fireMs
    columns.intervalSeconds[row] = slot.intervalSeconds
    columns.epoch[row] = slot.epoch
    columns.shard[row] = slot.shard
    columns.isLate[row] = slot.isLate ? 1 : 0
    columns.isDeadline[row] = slot.isDeadline ? 1 : 0
    columns.repeats[row] = Math.min(slot.repeats, MAX_REPEATS)
    if (slot.isLate) this.#late += 1
    this.#rows.set(slot.monitorNo, row)
    this.#put(row, row)
    this.#raise(row)
  }

  remove(monitorNo: number): WaitingSlot | undefined {
    const row = this.#rows.get(monitorNo)
    if (row === undefined) return undefined
    const slot = this.#slotAt(row)
    this.#rows.delete(monitorNo)
    if (slot.isLate) this.#late -= 1
    this.#leaveHeap(read(this.#columns.place, row))
    this.#size -= 1
    if (row !== this.#size) this.#move(this.#size, row)
    return slot
  }

  /** When the first slot fires; undefined if there is none. */
  get firstMs(): number | undefined {
    if (this.#size === 0) return undefined
    return read(this.#columns.fireMs, read(this.#columns.heap, 0))
  }

  /** Removes and returns the first slot, if it fires by `untilMs`. */
  takeFirst(untilMs: number): WaitingSlot | undefined {
    if ((this.firstMs ?? Number.POSITIVE_INFINITY) > untilMs) return undefined
    return this.remove(read(this.#columns.monitorNo, read(this.#columns.heap, 0)))
  }

  /** Removes what is in these shards, and tells its intervals. */
  removeShards(shards: ReadonlySet<number>, onRemoved: (intervalSeconds: number) => void): void {
    let lost = 0
    for (let row = 0; row < this.#size; row++) if (this.#isIn(shards, row)) lost += 1
    if (lost > this.#size * REBUILT_FROM) return this.#keepOthers(shards, onRemoved)
    // From the end, because the last row fills the place of one that is removed.
    for (let row = this.#size - 1; row >= 0; row--)
      if (this.#isIn(shards, row)) {
        onRemoved(read(this.#columns.intervalSeconds, row))
        this.remove(read(this.#columns.monitorNo, row))
      }
  }

  /** The oldest slot that is due in the database; undefined if there is none. */
  oldestMs(): number | undefined {
    if (this.#size === 0) return undefined
    const { dueMs } = this.#columns
    // All others fire when they are due.
    if (this.#late === 0) return this.firstMs
    let oldestMs = Number.POSITIVE_INFINITY
    for (let row = 0; row < this.#size; row++) oldestMs = Math.min(oldestMs, read(dueMs, row))
    return oldestMs
  }

  /** Whether a slot is past its time by more than this many of its intervals. */
  hasOverdue(nowMs: number, intervals: number): boolean {
    if ((this.oldestMs() ?? nowMs) >= nowMs) return false
    const { dueMs, intervalSeconds } = this.#columns
    for (let row = 0; row < this.#size; row++)
      if (nowMs - read(dueMs, row) > intervals * read(intervalSeconds, row) * 1000) return true
    return false
  }

  #isIn(shards: ReadonlySet<number>, row: number): boolean {
    return shards.has(read(this.#columns.shard, row))
  }

  #keepOthers(shards: ReadonlySet<number>, onRemoved: (intervalSeconds: number) => void): void {
    const { monitorNo, intervalSeconds, isLate } = this.#columns
    let kept = 0
    for (let row = 0; row < this.#size; row++) {
      if (!this.#isIn(shards, row)) {
        if (kept !== row) this.#copy(row, kept)
        kept += 1
        continue
      }
      this.#rows.delete(read(monitorNo, row))
      this.#late -= read(isLate, row)
      onRemoved(read(intervalSeconds, row))
    }
    this.#size = kept
    this.#orderAll()
  }

  #slotAt(row: number): WaitingSlot {
    const columns = this.#columns
    return {
      monitorNo: read(columns.monitorNo, row),
      shard: read(columns.shard, row),
      epoch: read(columns.epoch, row),
      intervalSeconds: read(columns.intervalSeconds, row),
      dueMs: read(columns.dueMs, row),
      fireMs: read(columns.fireMs, row),
      isLate: read(columns.isLate, row) === 1,
      isDeadline: read(columns.isDeadline, row) === 1,
      repeats: read(columns.repeats, row),
    }
  }

  #grow(): void {
    const old = this.#columns
    this.#capacity = Math.ceil(this.#capacity * GROWTH)
    const columns = createColumns(this.#capacity)
    columns.monitorNo.set(old.monitorNo)
    columns.dueMs.set(old.dueMs)
    columns.fireMs.set(old.fireMs)
    columns.intervalSeconds.set(old.intervalSeconds)
    columns.epoch.set(old.epoch)
    columns.shard.set(old.shard)
    columns.isLate.set(old.isLate)
    columns.isDeadline.set(old.isDeadline)
    columns.repeats.set(old.repeats)
    columns.heap.set(old.heap)
    columns.place.set(old.place)
    this.#columns = columns
  }

  /** Everything but its place in the heap. */
  #copy(from: number, to: number): void {
    const columns = this.#columns
    columns.monitorNo[to] = read(columns.monitorNo, from)
    columns.dueMs[to] = read(columns.dueMs, from)
    columns.fireMs[to] = read(columns.fireMs, from)
    columns.intervalSeconds[to] = read(columns.intervalSeconds, from)
    columns.epoch[to] = read(columns.epoch, from)
    columns.shard[to] = read(columns.shard, from)
    columns.isLate[to] = read(columns.isLate, from)
    columns.isDeadline[to] = read(columns.isDeadline, from)
    columns.repeats[to] = read(columns.repeats, from)
    this.#rows.set(read(columns.monitorNo, from), to)
  }

  #move(from: number, to: number): void {
    this.#copy(from, to)
    this.#put(to, read(this.#columns.place, from))
  }

  #put(row: number, place: number): void {
    this.#columns.heap[place] = row
    this.#columns.place[row] = place
  }

  /** The heap's last row takes the place of the one that leaves. */
  #leaveHeap(place: number): void {
    const last = this.#size - 1
    if (place === last) return
    const moved = read(this.#columns.heap, last)
    this.#put(moved, place)
    this.#raise(place)
    this.#sink(read(this.#columns.place, moved), last)
  }

  #orderAll(): void {
    for (let row = 0; row < this.#size; row++) this.#put(row, row)
    for (let place = (this.#size >> 1) - 1; place >= 0; place--) this.#sink(place, this.#size)
  }

  #raise(from: number): void {
    for (let place = from; place > 0; ) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }

  /** Among the first `count` places. */
  #sink(from: number, count: number): void {
    for (let place = from; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      let least = place
      if (left < count && this.#isBefore(left, least)) least = left
      if (right < count && this.#isBefore(right, least)) least = right
      if (least === place) return
      this.#swap(place, least)
      place = least
    }
  }

  #isBefore(place: number, other: number): boolean {
    const { heap, fireMs } = this.#columns
    return read(fireMs, read(heap, place)) < read(fireMs, read(heap, other))
  }

  #swap(place: number, other: number): void {
    const { heap } = this.#columns
    const [first, second] = [read(heap, place), read(heap, other)]
    this.#put(first, other)
    this.#put(second, place)
  }
}

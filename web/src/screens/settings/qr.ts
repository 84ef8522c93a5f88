// Encodes a short text as a QR code (ISO/IEC 18004): byte mode, level L, versions 1 to 15, always mask 0.

type Grid = (boolean | undefined)[][]
type Size = { version: number; parity: number; blocks: number; total: number }

// For level L, by version: parity bytes per block, and number of blocks.
const PARITY = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6]
const LEVEL_L_MASK_0 = 0b01000
const WIDER_COUNT_FROM = 10

/** Rows of modules; true is dark. Throws if the text does not fit. */
export function toQr(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const size = smallest(bytes.length)
  const edge = 4 * size.version + 17
  const grid: Grid = Array.from({ length: edge }, () => Array<boolean | undefined>(edge))
  drawFunctionModules(grid, size.version)
  drawData(grid, interleaved(dataOf(bytes, size), size))
  return grid.map((row) => row.map((module) => module === true))
}

function smallest(length: number): Size {
  for (const [index, parity] of PARITY.entries()) {
    const version = index + 1
    const blocks = BLOCKS[index] ?? 1
    const total = modulesForData(version) >> 3
    const head = version < WIDER_COUNT_FROM ? 2 : 3
    if (length + head <= total - parity * blocks) return { version, parity, blocks, total }
  }
  throw new Error('The text is too long for a QR code.')
}

/** All modules except finder, timing, alignment, format and version. */
function modulesForData(version: number): number {
  const edge = 4 * version + 17
  const aligned = version === 1 ? 0 : Math.floor(version / 7) + 2
  // Alignment patterns on a timing line share five modules with it.
  const alignment = aligned === 0 ? 0 : (aligned ** 2 - 3) * 25 - (aligned - 2) * 10
  return edge ** 2 - 3 * 64 - 31 - 2 * (edge - 16) - alignment - (version >= 7 ? 36 : 0)
}

function dataOf(bytes: Uint8Array, { version, parity, blocks, total }: Size): number[] {
  const room = total - parity * blocks
  const bits: number[] = []
  const push = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  push(0b0100, 4)
  push(bytes.length, version < WIDER_COUNT_FROM ? 8 : 16)
  for (const byte of bytes) push(byte, 8)
  push(0, Math.min(4, room * 8 - bits.length))
  push(0, (8 - (bits.length % 8)) % 8)
  for (let pad = 0xec; bits.length < room * 8; pad ^= 0xec ^ 0x11) push(pad, 8)
  return Array.from({ length: room }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  )
}

/** The first blocks may be one byte shorter. Bytes of all blocks alternate. */
function interleaved(data: number[], { parity, blocks }: Size): number[] {
  const short = Math.floor(data.length / blocks)
  const longer = data.length % blocks
  let from = 0
  const parts = Array.from({ length: blocks }, (_, at) => {
    const length = short + (at >= blocks - longer ? 1 : 0)
    from += length
    return data.slice(from - length, from)
  })
  const checks = parts.map((part) => parityOf(part, parity))
  return [...takeTurns(parts, short + 1), ...takeTurns(checks, parity)]
}

function takeTurns(parts: readonly number[][], length: number): number[] {
  return Array.from({ length }, (_, at) => parts.flatMap((part) => part.slice(at, at + 1))).flat()
}

/** Reed-Solomon over GF(256) with polynomial 0x11d. */
function parityOf(data: readonly number[], count: number): number[] {
  const generator = Array.from({ length: count }, (_, at) => at).reduce<number[]>(
    (sum, power) => {
      const root = powerOfTwo(power)
      const next = [...sum, 0]
      return next.map((value, at) => value ^ multiply(sum[at - 1] ?? 0, root))
    },
    [1],
  )
  const rest = Array<number>(count).fill(0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (let at = 0; at < count; at++)
      rest[at] = (rest[at] ?? 0) ^ multiply(generator[at + 1] ?? 0, factor)
  }
  return rest
}

export function multiply(one: number, other: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ (product & 0x80 ? 0x11d : 0)
    if ((other >> bit) & 1) product ^= one
  }
  return product
}

export function powerOfTwo(power: number): number {
  return Array.from({ length: power }).reduce<number>((value) => multiply(value, 2), 1)
}

function drawFunctionModules(grid: Grid, version: number): void {
  const edge = grid.length
  for (let at = 8; at < edge - 8; at++) {
    set(grid, 6, at, at % 2 === 0)
    set(grid, at, 6, at % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, edge - 4],
    [edge - 4, 3],
  ] as const)
    drawRings(grid, { row, column, reach: 4 })
  const centers = alignmentCenters(version)
  const last = centers.length - 1
  centers.forEach((row, i) => {
    centers.forEach((column, j) => {
      const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!isFinder) drawRings(grid, { row, column, reach: 2 })
    })
  })
  drawFormat(grid)
  if (version >= 7) drawVersion(grid, version)
}

type Rings = { row: number; column: number; reach: number }

/** A finder extends 4 modules with its white border, an alignment pattern 2. Both are rings around a dark center. */
function drawRings(grid: Grid, { row, column, reach }: Rings): void {
  for (let dr = -reach; dr <= reach; dr++)
    for (let dc = -reach; dc <= reach; dc++) {
      const ring = Math.max(Math.abs(dr), Math.abs(dc))
      const dark = reach === 4 ? ring !== 2 && ring !== 4 : ring !== 1
      set(grid, row + dr, column + dc, dark)
    }
}

function alignmentCenters(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const last = 4 * version + 10
  const step = Math.ceil((last - 6) / (count - 1) / 2) * 2
  const rest = Array.from({ length: count - 1 }, (_, at) => last - at * step)
  return [6, ...rest.toReversed()]
}

function drawFormat(grid: Grid): void {
  const edge = grid.length
  const bits = withChecks(LEVEL_L_MASK_0, 10, 0x537) ^ 0x5412
  for (let at = 0; at < 15; at++) {
    const dark = ((bits >> at) & 1) === 1
    // Down column 8 from the top, then along row 8 to its start; both skip the timing line.
    if (at < 8) set(grid, at < 6 ? at : at + 1, 8, dark)
    else set(grid, 8, at === 8 ? 7 : 14 - at, dark)
    if (at < 8) set(grid, 8, edge - 1 - at, dark)
    else set(grid, edge - 15 + at, 8, dark)
  }
  set(grid, edge - 8, 8, true)
}

function drawVersion(grid: Grid, version: number): void {
  const bits = withChecks(version, 12, 0x1f25)
  for (let at = 0; at < 18; at++) {
    const dark = ((bits >> at) & 1) === 1
    const near = Math.floor(at / 3)
    const far = grid.length - 11 + (at % 3)
    set(grid, near, far, dark)
    set(grid, far, near, dark)
  }
}

function withChecks(value: number, count: number, divisor: number): number {
  let rest = value
  for (let at = 0; at < count; at++) rest = (rest << 1) ^ ((rest >> (count - 1)) * divisor)
  return (value << count) | rest
}

function drawData(grid: Grid, bytes: readonly number[]): void {
  for (const [at, [row, column]] of [...wayOf(grid)].entries()) {
    const bit = ((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1
    set(grid, row, column, (bit === 1) !== ((row + column) % 2 === 0))
  }
}

/** Zigzags up and down in two-column pairs from the right, over the free modules. Skips the timing column. */
function* wayOf(grid: Grid): Generator<[row: number, column: number]> {
  const edge = grid.length
  const pairs = Array.from({ length: (edge - 1) / 2 }, (_, at) => edge - 1 - 2 * at)
  for (const [turn, pair] of pairs.entries())
    for (let step = 0; step < 2 * edge; step++) {
      const down = step >> 1
      const row = turn % 2 === 0 ? edge - 1 - down : down
      const column = (pair > 6 ? pair : pair - 1) - (step & 1)
      if (grid[row]?.[column] === undefined) yield [row, column]
    }
}

function set(grid: Grid, row: number, column: number, dark: boolean): void {
  const cells = grid[row]
  if (cells !== undefined && column >= 0 && column < cells.length) cells[column] = dark
}

// Preloaded into a process of the product (NODE_OPTIONS=--import …): any JSON that contains this text takes 300 ms to
// parse.
import { keepBusy } from './cpu-time.ts'

const BLOCK_MS = 300
const MARKER = 'block the event loop'

const parse = JSON.parse
JSON.parse = (text: string, reviver?: Parameters<typeof JSON.parse>[1]) => {
  if (String(text).includes(MARKER)) keepBusy(BLOCK_MS)
  return parse(text, reviver)
}

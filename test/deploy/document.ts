// The commands of a document: its sh blocks, each with its heading and its marker.
import { readFileSync } from 'node:fs'

type Block = { heading: string; mark: string; text: string; line: number }

const FENCE = /^```sh(.*)$/

export function readBlocks(file: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: Block | undefined
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (open !== undefined) {
      if (line === '```') {
        blocks.push(open)
        open = undefined
      } else open.text += `${line}\n`
    } else if (FENCE.test(line)) {
      const mark = (FENCE.exec(line)?.[1] ?? '').trim()
      open = { heading, mark, text: '', line: index + 1 }
    } else if (/^#{1,6} /.test(line)) heading = line.replace(/^#{1,6} /, '')
  }
  if (open !== undefined) throw new Error(`${file}:${open.line}: the block is not closed.`)
  return blocks
}

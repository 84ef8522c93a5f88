// What one test follows of a document: the commands that name the test, unchanged, and whether it ran all of them.
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { readBlocks } from './document.ts'

export class Guide {
  readonly #document: string
  readonly #blocks: ReturnType<typeof readBlocks>
  readonly #taken = new Set<number>()

  constructor(document: string, mark: string) {
    this.#document = document
    this.#blocks = readBlocks(document).filter((block) => block.mark === mark)
  }

  /** The commands below a heading, one text for each block. */
  take(heading: string): string[] {
    const found = this.#blocks.filter((block) => block.heading === heading)
    const name = basename(this.#document)
    assert.ok(found.length > 0, `${name} has no commands for this test below "${heading}"`)
    for (const { line } of found) this.#taken.add(line)
    return found.map(({ text }) => text)
  }

  /** The lines of blocks that were not taken. */
  get left(): string[] {
    const left = this.#blocks.filter(({ line }) => !this.#taken.has(line))
    return left.map(({ line }) => `${basename(this.#document)}:${line}`)
  }
}

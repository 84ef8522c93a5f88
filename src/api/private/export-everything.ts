// All that an organization has set up and lived through, as one file: a line for each thing, as the operation
// that lists it shows it. So nothing is in it that the API would not show, and nothing new is forgotten in two places.
import { EVERYTHING, exportEverything } from '../../contract/private/exports.ts'
import type { ReadContext } from '../http/bind.ts'
import { type BoundPrivateOperation, bindLines } from './bind.ts'

type Listed = { data: { id: string }[]; pagination?: { total: number } }

const PAGE = 100
// Pages are read one after the other while others go on working. Read again are the last ones of the page
// before, so that what was deleted meanwhile pushes nothing past the edge of a page.
const OVERLAP = 20

export function everythingOperation(
  bound: readonly BoundPrivateOperation[],
): BoundPrivateOperation {
  const operations = Object.entries(EVERYTHING).map(([id, type]) => {
    const found = bound.find(({ operation }) => operation.id === id)
    if (found === undefined) throw new Error(`No operation ${id} to export`)
    return { type, found }
  })
  return bindLines(exportEverything, (context) => lines(operations, context))
}

async function* lines(
  operations: readonly { type: string; found: BoundPrivateOperation }[],
  context: ReadContext,
): AsyncGenerator<string> {
  for (const { type, found } of operations)
    for await (const things of batches(found, context))
      yield things.map((data) => `${JSON.stringify({ type, data })}\n`).join('')
}

async function* batches(
  found: BoundPrivateOperation,
  context: ReadContext,
): AsyncGenerator<unknown[]> {
  const seen = new Set<string>()
  for (let offset = 0; ; offset += PAGE - OVERLAP) {
    const query = found.validateQuery?.(`limit=${PAGE}&offset=${offset}`).value ?? {}
    const answer = await found.handle({ params: {}, query }, context)
    if (!isListed(answer)) return yield [answer]
    const fresh = answer.data.filter(({ id }) => !seen.has(id))
    yield fresh
    for (const { id } of fresh) seen.add(id)
    if (answer.pagination === undefined || offset + PAGE >= answer.pagination.total) return
  }
}

function isListed(answer: unknown): answer is Listed {
  return Array.isArray((answer as Partial<Listed>).data)
}

// Exports an organization's configuration and history as one file, one line per object, as its list operation returns
// it. So the file holds nothing that the API would not show, and a new field needs no second change.
import { EVERYTHING, exportEverything } from '../../contract/private/exports.ts'
import { type BoundOperation, bind } from '../http/bind.ts'
import type { ReadContext } from '../http/contexts.ts'

type Listed = { data: { id: string }[]; pagination?: { total: number } }

const PAGE = 100
// Pages are read one by one while others keep writing. Each page overlaps the one before, so that deletions in between
// push nothing past a page boundary.
const OVERLAP = 20

export function everythingOperation(bound: readonly BoundOperation[]): BoundOperation {
  const operations = Object.entries(EVERYTHING).map(([id, type]) => {
    const found = bound.find(({ operation }) => operation.id === id)
    if (found === undefined) throw new Error(`No operation ${id} to export`)
    return { type, found }
  })
  return bind(exportEverything, async (_input, context) => lines(operations, context))
}

async function* lines(
  operations: readonly { type: string; found: BoundOperation }[],
  context: ReadContext,
): AsyncGenerator<string> {
  for (const { type, found } of operations)
    for await (const things of batches(found, context))
      yield things.map((data) => `${JSON.stringify({ type, data })}\n`).join('')
}

async function* batches(found: BoundOperation, context: ReadContext): AsyncGenerator<unknown[]> {
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

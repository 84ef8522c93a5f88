// Every guard between organizations, how it looks when it is gone, and the attack that must succeed then.
import type { Edit, Plant } from '../../app/guards/plants.ts'

const attack = (name: string, only?: string): Pick<Plant, 'tests' | 'only'> => ({
  tests: [`test/hostile/${name}.test.ts`],
  ...(only !== undefined && { only }),
})

const plant = (
  guard: string,
  [file, from, to]: [file: string, from: string, to: string],
  against: Pick<Plant, 'tests' | 'only'>,
  more: readonly Edit[] = [],
): Plant => ({ guard, edits: [{ file, from, to }, ...more], ...against })

// biome-ignore format: a table is read by its columns
export const PLANTS: readonly Plant[] = [
  plant('Markdown on pages is bounded', ['src/pages/markdown.ts', 'isWithinMarkdownBound(text) ? parse(text) : renderPlain(text)', 'parse(text)'], attack('markdown')),
  plant('Markdown in mails is bounded', ['src/channels/mail/markup.ts', 'isWithinMarkdownBound(text) ? parse(text) : renderPlain(text)', 'parse(text)'], attack('markdown', 'in mails')),
  plant('the pattern of deep lists shares no blanks', ['src/domain/markdown-bound.ts', '/^[ \\t]*(?:(?:[-+*]|\\d{1,20}[.)])[ \\t]+){5}/m', '/^(?:[ \\t]*(?:[-+*]|\\d+[.)])[ \\t]+){5}/m'], attack('markdown', 'drafts')),
  plant('pages are rendered in pieces', ['src/pages/render-queue.ts', '  return limit.run(orgId, async () => {', '  if (orgId !== "") return Promise.resolve(work())\n  return limit.run(orgId, async () => {'], attack('markdown', 'in mails')),
  plant('WHOIS answers are read in linear time', ['src/checks/whois.ts', '/^[ \\t]*(?:registry expiry date', '/^\\s*(?:registry expiry date'], attack('servers')),
  plant('an organization has a few connections of the API', ['src/roles/share-connections.ts', 'const limit = limitOf(total, perKey)\n  return database', 'const limit = limitOf(100_000, 100_000)\n  return database'], attack('contention', 'Writes|One row')),
]

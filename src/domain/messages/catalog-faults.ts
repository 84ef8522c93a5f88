// What is wrong with a catalog, or with a translation of it.
import { type Parts, parseMessage } from './message.ts'

/** Every fault as `path: sentence`. `english` is the catalog that it translates. */
export function catalogFaults(catalog: unknown, language: string, english = catalog): string[] {
  return messagesOf(catalog, '').flatMap(([path, text]) => {
    const original = messageAt(english, path)
    if (original === undefined) return [`${path}: there is no such message in English`]
    return messageFaults(text, language, original).map((fault) => `${path}: ${fault}`)
  })
}

function messageFaults(text: string, language: string, original: string): string[] {
  let parts: Parts
  try {
    parts = parseMessage(text)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  return [
    ...nameFaults(namesIn(parts), namesIn(parseMessage(original))),
    ...pluralFaults(parts, language),
    ...(text === text.trim() ? [] : ['begins or ends with a space']),
  ]
}

type Names = { values: string[]; tags: string[] }

/** What has to be given to a message. */
function namesIn(parts: Parts): Names {
  const all = parts.flatMap((part): Names[] => {
    if (typeof part === 'string' || part.kind === 'count') return []
    if (part.kind === 'value') return [{ values: [part.name], tags: [] }]
    if (part.kind === 'tag') return [{ values: [], tags: [part.name] }, namesIn(part.inside)]
    return [{ values: [part.name], tags: [] }, ...Object.values(part.cases).map(namesIn)]
  })
  const sorted = (names: string[]) => [...new Set(names)].sort()
  return {
    values: sorted(all.flatMap(({ values }) => values)),
    tags: sorted(all.flatMap(({ tags }) => tags)),
  }
}

const nameFaults = (given: Names, wanted: Names): string[] =>
  (['values', 'tags'] as const).flatMap((kind) => {
    const [has, needs] = [given[kind].join(', '), wanted[kind].join(', ')]
    return has === needs ? [] : [`has the ${kind} (${has}), English has (${needs})`]
  })

/** Each form of the language is written, and no other. */
function pluralFaults(parts: Parts, language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  return parts.flatMap((part) => {
    if (typeof part === 'string') return []
    if (part.kind === 'tag') return pluralFaults(part.inside, language)
    if (part.kind !== 'plural') return []
    const missing = forms.filter((form) => !(form in part.cases))
    const extra = Object.keys(part.cases).filter(
      (key) => !key.startsWith('=') && !isForm(forms, key),
    )
    return [
      ...missing.map((form) => `has no case \`${form}\` of ${part.name}`),
      ...extra.map(
        (form) => `has a case \`${form}\` of ${part.name}, which the language does not have`,
      ),
    ]
  })
}

const isForm = (forms: readonly string[], key: string) => forms.includes(key)

type Row = readonly [path: string, text: string]

/** Every message with its path. A key can be a sentence, so parts of a path are separated by a line break. */
function messagesOf(node: unknown, path: string): Row[] {
  if (typeof node === 'string') return [[path, node]]
  return Object.entries(node as object).flatMap(([key, inside]) =>
    messagesOf(inside, path === '' ? key : `${path}\n${key}`),
  )
}

function messageAt(node: unknown, path: string): string | undefined {
  const found = path.split('\n').reduce<unknown>((inside, key) => Object(inside)[key], node)
  return typeof found === 'string' ? found : undefined
}

// The last part of a page's public URL, if none was chosen.

// Words that are, or may become, URLs of the service itself, or that could be mistaken for it.
const RESERVED = new Set(
  `about account admin api app assets auth badge badges billing blog cdn console dashboard dev docs
  feed feeds health help home hooks incident incidents internal livez login logout maintenance metrics
  monitor monitors new null openapi page pages ping probe public readyz register root rss security
  settings signin signup static status status-page status-pages subscribe support system test
  undefined unsubscribe user users webhook webhooks well-known www`.split(/\s+/),
)

// Letters that do not decompose into a base letter and a mark.
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
}
const SHORTEST = 3
// Leaves room for a suffix.
const LONGEST_BASE = 48
const NUMBERED = [2, 3, 4, 5]

export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug)

/** Slugs for a page of this name, the nicest first. `endings` make the last ones unique. */
export function slugCandidates(name: string, endings: readonly string[]): string[] {
  const base = slugBase(name)
  const all = [base, ...[...NUMBERED, ...endings].map((ending) => `${base}-${ending}`)]
  return all.filter((slug) => !isReservedSlug(slug))
}

function slugBase(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => LETTERS[letter] ?? '-')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, LONGEST_BASE)
    .replace(/-$/, '')
  if (plain === '') return 'my-status'
  return plain.length < SHORTEST ? `${plain}-status` : plain
}

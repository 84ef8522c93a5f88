// Compares versions as Semantic Versioning orders them.

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]{1,64})?(?:\+[0-9A-Za-z.-]{1,64})?$/

/** False if either is not a version. */
export function isNewerVersion(one: string, other: string): boolean {
  const [a, b] = [parse(one), parse(other)]
  if (a === undefined || b === undefined) return false
  const order = compareLists(a.numbers, b.numbers)
  return order === 0 ? comparePreReleases(a.preRelease, b.preRelease) > 0 : order > 0
}

/** The version that is the whole text, with or without a `v` and white space around it. */
export function readVersion(text: string): string | undefined {
  const given = text.trim()
  const version = given.startsWith('v') ? given.slice(1) : given
  return VERSION.test(version) ? version : undefined
}

type Identifier = number | string

function parse(text: string) {
  const [, major, minor, patch, preRelease] = VERSION.exec(text) ?? []
  if (major === undefined) return undefined
  const identifiers = preRelease?.slice(1).split('.') ?? []
  return {
    numbers: [major, minor, patch].map(Number),
    preRelease: identifiers.map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part)),
  }
}

// A release is newer than its pre-releases.
function comparePreReleases(a: readonly Identifier[], b: readonly Identifier[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  return compareLists(a, b)
}

/** Of two lists that agree, the longer one is newer. */
function compareLists(a: readonly Identifier[], b: readonly Identifier[]): number {
  for (const [i, one] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    if (one !== other) return compareIdentifiers(one, other)
  }
  return a.length - b.length
}

function compareIdentifiers(a: Identifier, b: Identifier): number {
  if (typeof a === typeof b) return a < b ? -1 : 1
  return typeof a === 'number' ? -1 : 1
}

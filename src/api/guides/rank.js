// Finds the sections that answer a question. Part of the search page; tests import it.

const STOP = new Set(
  'a an and any are as at be by can did do does for from get got has have how i if in is it its me my of on or our so than that the their then there they this to up use using want was we what when where which who why will with without you your'.split(
    ' ',
  ),
)
// What newcomers say, and what the documents call it.
const SAME = {
  docker: ['container', 'compose'],
  k8s: ['kubernetes'],
  tls: ['certificate', 'https'],
  https: ['tls', 'certificate'],
  ssl: ['certificate'],
  login: ['sign-in', 'sign'],
  log: ['journalctl'],
  signin: ['sign'],
  forgot: ['lost', 'forgotten'],
  '2fa': ['two-factor', 'factor'],
  sso: ['openid', 'single'],
  notify: ['alert'],
  notification: ['alert'],
  email: ['mail', 'smtp'],
  text: ['sms'],
  phone: ['sms', 'call'],
  silence: ['mute', 'quiet'],
  downtime: ['maintenance', 'window'],
  planned: ['maintenance'],
  job: ['cron', 'heartbeat'],
  migrate: ['move', 'import'],
  switch: ['move', 'import'],
  alternative: ['compare'],
  versus: ['compare'],
  vs: ['compare'],
  terraform: ['code', 'yaml'],
  gitops: ['code', 'yaml'],
  agent: ['probe', 'assistant'],
  location: ['region', 'probe'],
  internal: ['private'],
  intranet: ['private'],
  delete: ['erase', 'remove'],
  env: ['variable', 'setting'],
  variable: ['setting'],
  token: ['key'],
  outage: ['incident'],
  ha: ['availability'],
  cluster: ['availability'],
  slow: ['degraded', 'response'],
  chatgpt: ['assistant', 'mcp'],
  claude: ['assistant', 'mcp'],
}
const SYNONYM_WEIGHT = 0.6
const PREFIX_WEIGHT = 0.5
const MAX_WORDS = 12
const MAX_PREFIXES = 20
const PAGES_SHOWN = 10
const SECTIONS_SHOWN = 3

/** Words without endings, so that "monitors" finds "monitoring". */
function stemsOf(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map(toStem)
}

function toStem(word) {
  if (word.length < 4) return word
  const single = word.replace(/(?<!s)s$/, '')
  const stem = single.replace(/(?:ing|ed|e)$/, '')
  return (stem.length < 3 ? single : stem).replace(/y$/, 'i').replace(/ie$/, 'i')
}

/** Prepares an index for `search`. */
export function prepare(pages) {
  const entries = pages.flatMap((page) =>
    page.sections.map((section) => ({ page, section, weights: weightsOf(page, section) })),
  )
  const found = new Map()
  for (const { weights } of entries)
    for (const stem of weights.keys()) found.set(stem, (found.get(stem) ?? 0) + 1)
  return { entries, found }
}

/** How much each word says about a section. Its title counts most, then the page's, then how often it is in the text. */
function weightsOf({ title, summary, sections }, section) {
  const [heading, , text] = section
  const isFirst = sections[0] === section
  const weights = new Map()
  const add = (stems, weight) => {
    for (const stem of new Set(stems)) weights.set(stem, (weights.get(stem) ?? 0) + weight)
  }
  const counts = new Map()
  const stems = stemsOf(text)
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const length = 0.6 + stems.length / 300
  for (const [stem, count] of counts) weights.set(stem, count / (count + length))
  add(stemsOf(heading), 2.2)
  add(stemsOf(title), isFirst ? 1.8 : 0.8)
  add(stemsOf(summary), isFirst ? 1.2 : 0.3)
  return weights
}

/** The best pages, each with its best sections. */
export function search({ entries, found }, query) {
  const words = wordsOf(query, found)
  if (words.length === 0) return []
  const phrase = query.trim().toLowerCase()
  const byPage = new Map()
  for (const { page, section, weights } of entries) {
    const score = scoreOf(words, weights, found, entries.length) * page.weight
    if (score === 0) continue
    const exact = phrase.length > 9 && section[2].toLowerCase().includes(phrase) ? 3 : 1
    const list = byPage.get(page) ?? []
    list.push({ section, score: score * exact })
    byPage.set(page, list)
  }
  return [...byPage]
    .map(([page, list]) => ({ page, sections: list.toSorted((a, b) => b.score - a.score) }))
    .toSorted((a, b) => pageScore(b) - pageScore(a))
    .slice(0, PAGES_SHOWN)
    .map(({ page, sections }) => ({
      page,
      sections: sections.slice(0, SECTIONS_SHOWN).map(({ section }) => section),
      stems: words.flatMap(({ forms }) => forms.map(([stem]) => stem)),
    }))
}

// A page where several sections answer is a little better than one that mentions it.
const pageScore = ({ sections: [first, second, third] }) =>
  first.score + (second?.score ?? 0) * 0.15 + (third?.score ?? 0) * 0.1

/** Each word of the question with the forms that count for it. */
function wordsOf(query, found) {
  const all = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const asked = all.filter((word) => !STOP.has(word)).slice(0, MAX_WORDS)
  const words = asked.length === 0 ? all.slice(0, MAX_WORDS) : asked
  return words.map((word, at) => {
    const stem = toStem(word)
    const synonyms = Object.hasOwn(SAME, word)
      ? SAME[word]
      : Object.hasOwn(SAME, stem)
        ? SAME[stem]
        : []
    const forms = [[stem, 1], ...synonyms.flatMap(stemsOf).map((one) => [one, SYNONYM_WEIGHT])]
    const isTyped = at === words.length - 1 && word.length > 1
    return { forms: isTyped ? [...forms, ...prefixes(stem, word, found)] : forms }
  })
}

/** The last word may not be complete yet. */
function prefixes(stem, word, found) {
  const longer = [...found.keys()].filter((one) => one !== stem && one.startsWith(word))
  return longer.slice(0, MAX_PREFIXES).map((one) => [one, PREFIX_WEIGHT])
}

function scoreOf(words, weights, found, total) {
  let sum = 0
  let answered = 0
  for (const { forms } of words) {
    const best = Math.max(
      ...forms.map(([stem, share]) => {
        const weight = weights.get(stem) ?? 0
        return weight === 0 ? 0 : weight * share * Math.log(1 + total / found.get(stem))
      }),
    )
    if (best > 0) answered++
    sum += best
  }
  return sum * (answered / words.length) ** 2
}

/** The part of a text around the first of these words, and which of its words are among them. */
export function excerpt(text, stems, length) {
  const wanted = new Set(stems)
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    isHit: wanted.has(toStem(match[0].toLowerCase())),
  }))
  const first = words.find(({ isHit }) => isHit)?.from ?? 0
  const from = first < length / 3 ? 0 : text.indexOf(' ', first - Math.floor(length / 3)) + 1
  const to = from + length >= text.length ? text.length : text.lastIndexOf(' ', from + length)
  const pieces = []
  let at = from
  for (const word of words.filter((one) => one.isHit && one.from >= from && one.to <= to)) {
    pieces.push([text.slice(at, word.from), false], [text.slice(word.from, word.to), true])
    at = word.to
  }
  pieces.push([text.slice(at, to), false])
  if (from > 0) pieces.unshift(['… ', false])
  if (to < text.length) pieces.push([' …', false])
  return pieces.filter(([piece]) => piece !== '')
}

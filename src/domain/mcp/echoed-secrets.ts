// A page, a job or a receiver may repeat what was sent to it: an error page that prints the request, for example. So a
// credential can come back in an excerpt, and is removed from it.

type Sender = {
  url: string | null
  requestHeaders: Readonly<Record<string, unknown>> | null
  requestBody: string | null
  heartbeatUrl: string | null
}

const MASK = '[hidden]'
// Shorter values are rarely secret, and removing them would garble the text.
const FEWEST_CHARACTERS = 6
// An excerpt may end within a secret.
const FEWEST_AT_END = 4
const MAX_VALUES = 200
const HARMLESS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'host',
  'origin',
  'user-agent',
])

/** What a monitor sends and must not be shown. */
export function secretsOfMonitor(monitor: Sender): string[] {
  const { url, requestHeaders, requestBody, heartbeatUrl } = monitor
  return longestFirst([
    ...Object.entries(requestHeaders ?? {})
      .filter(([name]) => !HARMLESS.has(name.toLowerCase()))
      .flatMap(([, value]) => valuesOfHeader(String(value))),
    ...(requestBody === null ? [] : valuesOfBody(requestBody)),
    ...valuesOfUrl(url ?? ''),
    ...pathOfUrl(heartbeatUrl ?? ''),
  ])
}

/** Of the address of a receiver, the path is often the secret. */
export function secretsOfReceiver(url: string): string[] {
  return longestFirst([...valuesOfUrl(url), ...pathOfUrl(url)])
}

export function hideSecrets(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
  const start = secrets.reduce(
    (first, secret) => Math.min(first, startAtEnd(hidden, secret)),
    hidden.length,
  )
  return start === hidden.length ? hidden : hidden.slice(0, start) + MASK
}

/** Where the beginning of the secret starts, if the text ends with it. */
function startAtEnd(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= FEWEST_AT_END; length--)
    if (text.endsWith(secret.slice(0, length))) return text.length - length
  return text.length
}

/** `Bearer x` is secret as a whole and as `x`; of `Basic x`, also what it encodes. */
function valuesOfHeader(value: string): string[] {
  const [scheme = '', token] = value.trim().split(' ')
  if (token === undefined) return [value]
  if (scheme.toLowerCase() !== 'basic') return [value, token]
  const pair = decodeBase64(token)
  return [value, token, pair, pair.slice(pair.indexOf(':') + 1)]
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** The body, and the values in JSON or in a form. */
function valuesOfBody(body: string): string[] {
  return [body, ...(stringsInJson(body) ?? new URLSearchParams(body).values())]
}

function stringsInJson(text: string): string[] | undefined {
  const found: string[] = []
  try {
    JSON.parse(text, (_name, value: unknown) => {
      if (typeof value === 'string' && found.length < MAX_VALUES) found.push(value)
      return null
    })
    return found
  } catch {
    return undefined
  }
}

function valuesOfUrl(text: string): string[] {
  const url = URL.parse(text)
  if (url === null) return []
  const { username, password, hash } = url
  return [username, password, hash.slice(1), ...url.searchParams.values()].flatMap((value) => [
    value,
    decode(value),
  ])
}

function pathOfUrl(text: string): string[] {
  const { pathname } = URL.parse(text) ?? {}
  return pathname === undefined ? [] : pathname.split('/')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** So that no secret is left in parts because a shorter one was in it. */
function longestFirst(values: readonly string[]): string[] {
  return [...new Set(values)]
    .filter((value) => value.length >= FEWEST_CHARACTERS)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_VALUES)
}

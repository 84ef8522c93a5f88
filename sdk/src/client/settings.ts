// Reads the options of a client. Messages never repeat a value that may be secret.
import type { Fetch, UpvaneOptions } from './options.ts'
import { createPacer, type Pacer } from './pacer.ts'

export type Settings = {
  readKey: () => Promise<string>
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  maxRetryWaitMs: number
  pacer: Pacer | undefined
  fetch: Fetch
  onRequest: UpvaneOptions['onRequest']
  onRateLimitWait: UpvaneOptions['onRateLimitWait']
  onResponse: UpvaneOptions['onResponse']
}

const KEY = /^[!-~]+$/

export function readSettings(options: UpvaneOptions): Settings {
  const { apiKey, timeoutMs = 30_000, maxRetries = 2, maxRetryWaitMs = 65_000 } = options
  if (options.fetch === undefined && 'document' in globalThis)
    throw new TypeError('An API key does not belong in a browser: call Upvane from a server.')
  if (typeof apiKey === 'string') assertKey(apiKey)
  return {
    readKey: async () => assertKey(typeof apiKey === 'string' ? apiKey : await apiKey()),
    baseUrl: readBaseUrl(options.baseUrl),
    timeoutMs,
    maxRetries,
    maxRetryWaitMs,
    pacer: options.pace === true ? createPacer(options.onRateLimitWait) : undefined,
    // Looked up at each call, so that a test can replace it.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    onRequest: options.onRequest,
    onRateLimitWait: options.onRateLimitWait,
    onResponse: options.onResponse,
  }
}

// The runtime's own complaint about such a header would show the key.
function assertKey(key: string): string {
  if (typeof key === 'string' && KEY.test(key)) return key
  throw new TypeError('apiKey is empty, or has characters that no API key has.')
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError('baseUrl is not a URL such as https://upvane.example.com.')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must not hold a user name or a password.')
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return url.origin + path
}

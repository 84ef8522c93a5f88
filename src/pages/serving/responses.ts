// Responses of the pages, with the headers of each kind.
import type { WebRequest, WebResponse } from '../../platform/web-exchange.ts'
import type { Rendition } from '../snapshot/rendition.ts'
import type { Asset } from '../views/assets.ts'
import type { SmallPage } from '../views/small-pages.ts'
import { HTML, securityHeaders } from './documents.ts'

const NOTHING = Buffer.alloc(0)
const PUBLIC = 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400'
const IMMUTABLE = 'public, max-age=31536000, immutable'

type Visibility = { isPrivate: boolean; allowIndexing: boolean }

export async function documentResponse(
  { headers }: Pick<WebRequest, 'headers'>,
  rendition: Rendition,
  { isPrivate, allowIndexing }: Visibility,
): Promise<WebResponse> {
  const shared = {
    'Cache-Control': isPrivate ? 'private, no-cache' : PUBLIC,
    ETag: rendition.etag,
    Vary: isPrivate ? 'Accept-Encoding, Cookie' : 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ...(!allowIndexing && { 'X-Robots-Tag': 'noindex' }),
    ...rendition.headers,
  }
  if (rendition.isKnownBy(textOf(headers['if-none-match'])))
    return { status: 304, headers: shared, body: NOTHING }
  const encoding = rendition.encodingFor(textOf(headers['accept-encoding']))
  return {
    status: 200,
    headers: {
      'Content-Type': rendition.type,
      ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
      ...shared,
    },
    body: await rendition.encoded(encoding),
  }
}

export function smallPageResponse(
  status: number,
  { document, style, page }: SmallPage,
  more: Readonly<Record<string, string>> = {},
): WebResponse {
  return {
    status,
    headers: {
      'Content-Type': HTML,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      ...securityHeaders(style, { ...(page && { page }) }),
      ...more,
    },
    body: Buffer.from(document.text),
  }
}

/** For machines: the status says everything. */
export function plainResponse(
  status: number,
  more: Readonly<Record<string, string>> = {},
): WebResponse {
  const headers = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...more }
  return { status, headers, body: NOTHING }
}

export function assetResponse({ type, body }: Asset): WebResponse {
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      'Cache-Control': IMMUTABLE,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // The editor's preview has no origin, and may be on another host.
      'Access-Control-Allow-Origin': '*',
    },
    body,
  }
}

export function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(', ') : (header ?? '')
}

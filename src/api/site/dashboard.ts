// The built dashboard: every file is in memory with its compressed forms, so that no path can reach another file.
// Browsers cache hashed files forever and revalidate the page each time.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { dashboardPrefixes } from '../../domain/values/dashboard-paths.ts'
import { methodNotAllowed, noSuchAddress } from '../../platform/api-error.ts'
import { chooseForm, type Forms } from '../http/content-encoding.ts'
import type { Surface, SurfaceRequest } from '../http/surface.ts'

const ENCODINGS = { br: '.br', gzip: '.gz' } as const
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const PAGE = '/index.html'
const FILES = [
  '/assets',
  '/favicon.svg',
  '/early.js',
  // To install the dashboard as an app, and for notifications.
  '/manifest.webmanifest',
  '/service-worker.js',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.png',
  '/apple-touch-icon.png',
]

type File = { type: string; etag: string; forms: Forms }

/** `directory`: the build output. Undefined if it was not built. */
export function dashboardSurfaces(directory: string): Surface[] | undefined {
  if (!existsSync(join(directory, PAGE))) return undefined
  const files = readFiles(directory)
  const headers = pageHeaders()
  const page: Surface['serve'] = (request, response) =>
    sendFile(request, response, files.get(PAGE), headers)
  const own: Surface['serve'] = (request, response, { path }) =>
    sendFile(request, response, files.get(path), {
      'Cache-Control': path.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    })
  return [
    ...dashboardPrefixes().map((prefix) => ({ prefix, serve: page })),
    ...FILES.map((prefix) => ({ prefix, serve: own })),
  ]
}

function readFiles(directory: string): Map<string, File> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => TYPES[extname(name)] !== undefined)
      .map((name) => [`/${name}`, readOne(join(directory, name))]),
  )
}

function readOne(path: string): File {
  const bytes = readFileSync(path)
  const compressed = new Map(
    Object.entries(ENCODINGS)
      .filter(([, ending]) => existsSync(path + ending))
      .map(([encoding, ending]) => [encoding, readFileSync(path + ending)]),
  )
  return {
    type: TYPES[extname(path)] ?? '',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    forms: { identity: bytes, compressed },
  }
}

/** Only our own files, no inline scripts, and no embedding. */
function pageHeaders(): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    // For the status page preview.
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  }
}

function sendFile(
  request: SurfaceRequest,
  response: ServerResponse,
  file: File | undefined,
  headers: Record<string, string>,
): void {
  const { method, requestId } = request
  const always = { 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': requestId }
  if (file === undefined) throw noSuchAddress()
  if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD')
  const { type, etag, forms } = file
  const kept = { ...always, ...headers, ETag: etag, Vary: 'Accept-Encoding' }
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, kept).end()
  const [encoding, bytes] = chooseForm(request.headers, forms)
  response.writeHead(200, {
    ...kept,
    'Content-Type': type,
    'Content-Length': bytes.length,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  })
  response.end(method === 'HEAD' ? undefined : bytes)
}

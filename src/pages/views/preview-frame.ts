// The empty document in which the dashboard previews an unsaved page (docs/decisions/0012). It has a dashboard URL but
// an opaque origin: sandboxed, with one known script and no data to fetch.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SCRIPT = readFileSync(join(import.meta.dirname, '../assets/preview.js'), 'utf8')

export const PREVIEW_PATH = '/app/preview'

export function previewFrame(statusBaseUrl: string) {
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    `font-src ${new URL(statusBaseUrl).origin}`,
    'img-src https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ]
  return {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Preview</title><body><script>${SCRIPT}</script></body></html>\n`,
    headers: {
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  }
}

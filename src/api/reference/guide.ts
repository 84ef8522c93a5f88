// The operator's guide of this version, to which emails about troubles link.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GUIDE_PATH } from '../../domain/operating/trouble-remedies.ts'
import { renderGuide, titleOf } from '../../render/guide.ts'
import type { Surface } from '../http/surface.ts'
import { documentSurface } from './documents.ts'

const STYLE = `:root{color-scheme:light dark}
body{max-width:64rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif}
h2,h3{margin-top:2.5rem}pre,code{font:.9em/1.5 ui-monospace,Menlo,Consolas,monospace}
pre{overflow:auto;padding:.75rem 1rem;border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:6px}
table{border-collapse:collapse;width:100%}td,th{padding:.4rem .6rem;text-align:start;vertical-align:top;
border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);overflow-wrap:anywhere}
:target{background:color-mix(in srgb,#fbbf24 30%,transparent)}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}

/** `directory`: docs/operating, as it was installed. A service without its guide still works. */
export function guideSurfaces(directory: string): Surface[] {
  if (!existsSync(directory)) return []
  const names = readdirSync(directory).filter((name) => name.endsWith('.md'))
  return names.map((file) =>
    documentSurface(`${GUIDE_PATH}/${file.slice(0, -'.md'.length)}`, {
      type: 'text/html; charset=utf-8',
      body: async () => guidePage(readFileSync(join(directory, file), 'utf8')),
      headers: HEADERS,
    }),
  )
}

export function guidePage(markdown: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(markdown)} · Upvane</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${renderGuide(markdown, GUIDE_PATH)}
</main>
</body>
</html>
`
}

// A page of one message, complete without a dashboard or a script.
import { createHash } from 'node:crypto'

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#11161d,#eaeef3);--ink-2:light-dark(#47515e,#aab4c1);--line:light-dark(#e6e9ec,#212934);--accent:light-dark(#5443d2,#a8a0ff)}
body{margin:0;display:grid;place-items:center;min-height:100vh;background:light-dark(#f8f9fa,#0b0f14);color:var(--ink);font:400 1rem/1.6 system-ui,sans-serif}
main{box-sizing:border-box;width:100%;max-width:560px;padding:40px 24px}
h1{margin:0 0 12px;font-size:1.625rem;line-height:1.25;letter-spacing:-.021em}
p,ol{margin:0 0 16px;color:var(--ink-2)}
ol{padding-inline-start:1.4em}
pre{margin:8px 0;padding:10px 14px;overflow:auto;border:1px solid var(--line);border-radius:7px;background:light-dark(#fff,#10151c);color:var(--ink);font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace}
a{color:var(--accent)}
`

export const PLAIN_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

/** `main` and `head` are HTML of ours. */
export const plainPage = (title: string, main: string, head = ''): Buffer =>
  Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`)

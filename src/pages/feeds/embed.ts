// A one-line status to embed in a frame on another site.

import { type Html, html, raw } from '../../render/html.ts'
import type { ShownPage } from '../snapshot/snapshot.ts'
import { toneOf } from '../snapshot/tone.ts'
import { assetName } from '../views/assets.ts'
import { definitions, icon, mark } from '../views/drawings.ts'
import { oneLine } from '../views/hero.ts'
import { themeOf, type View } from '../views/layout.ts'

/** `theme`: of the site around it, which may differ from the page's and from the visitor's system. */
export function renderEmbed(view: View, theme?: ShownPage['theme']): Html {
  const { snapshot, style, format, links } = view
  const { page, state } = snapshot
  const body = html`<main class="embed is-${toneOf(state)}"><a href="${page.url}" target="_blank" rel="noopener">${mark(state)}<b><bdi>${page.name}</bdi></b><span dir="auto">${oneLine(view)}</span>${icon('right')}</a></main>`
  return html`<!doctype html>
<html lang="${page.locale}"${themeOf({ theme: theme ?? page.theme })}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${format.messages.title(page.name)}</title>
<style>${raw(style.text)}</style>
<script src="${links.assets}/${assetName('page.js')}" defer></script>
</head>
<body class="bare">${definitions(body)}${body}</body>
</html>
`
}

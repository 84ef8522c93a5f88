// A one-line status to embed in a frame on another site.

import { type Html, html, raw } from '../../render/html.ts'
import { openIncidents } from '../snapshot/snapshot.ts'
import { toneOf } from '../snapshot/tone.ts'
import { assetName } from '../views/assets.ts'
import { definitions, mark } from '../views/drawings.ts'
import { headline } from '../views/hero.ts'
import { themeOf, type View } from '../views/layout.ts'

export function renderEmbed(view: View): Html {
  const { snapshot, style, format, links } = view
  const { page, state } = snapshot
  const [incident] = openIncidents(snapshot)
  const body = html`<main class="embed is-${toneOf(state)}"><a href="${page.url}" target="_blank" rel="noopener">${mark(state)}<b dir="auto">${incident?.title ?? headline(view)}</b></a></main>`
  return html`<!doctype html>
<html lang="${page.locale}"${themeOf(page)}>
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

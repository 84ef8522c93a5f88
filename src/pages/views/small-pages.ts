// Documents that stand alone and tell nothing of any page: password, nothing here, not now.
import type { Locale } from '../../domain/values/locale.ts'
import type { PageSettings } from '../snapshot/snapshot.ts'
import { wordsOf } from '../words/words.ts'
import { assetName, type Style, styleFor } from './assets.ts'
import { definitions, mark } from './drawings.ts'
import { html, type Markup, raw } from './html.ts'
import { themeOf } from './layout.ts'
import type { Links } from './links.ts'

export type SmallPage = { document: Markup; style: Style }

export type Look = { locale: Locale; links: Links } & Pick<PageSettings, 'theme' | 'accentColor'>

export function plainLook(locale: Locale, links: Links): Look {
  return { locale, links, theme: 'SYSTEM', accentColor: null }
}

export function renderNotFound(look: Look): SmallPage {
  const words = wordsOf(look.locale)
  return frame(look, words.notFound, html`<p>${words.notFoundText}</p>`)
}

export function renderAway(look: Look): SmallPage {
  const words = wordsOf(look.locale)
  return frame(look, words.away, html`<p>${words.awayText}</p>`)
}

export type Refusal = 'WRONG' | 'TOO_MANY' | undefined

/** `next` is the part of the page to open afterwards, such as `history`. */
export function renderPasswordForm(look: Look, next: string, refusal: Refusal): SmallPage {
  const words = wordsOf(look.locale)
  const complaint = { WRONG: words.wrongPassword, TOO_MANY: words.tooManyTries }
  const error =
    refusal !== undefined &&
    html`<p class="error is-down" id="error" role="alert">${mark('MAJOR_OUTAGE')}${complaint[refusal]}</p>`
  const invalid = refusal !== undefined && raw(' aria-invalid="true" aria-describedby="error"')
  const body = html`<p>${words.passwordText}</p>
<form method="post" action="${look.links.unlock}"><input type="hidden" name="next" value="${next}"><label class="field"><span class="label">${words.password}</span><input class="input" type="password" name="password" autocomplete="current-password" required maxlength="128" autofocus${invalid}></label>${error}<button class="btn primary">${words.open}</button></form>`
  return frame(look, words.passwordTitle, body)
}

export function frame(look: Look, title: string, content: Markup): SmallPage {
  const style = styleFor(look.links.assets, look.accentColor)
  const icon = `${look.links.assets}/${assetName('favicon.svg')}`
  const body = html`<main class="alone"><div class="card"><h1>${title}</h1>${content}</div></main>`
  const document = html`<!doctype html>
<html lang="${look.locale}"${themeOf(look)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${raw(style.text)}</style>
</head>
<body>${definitions(body)}${body}</body>
</html>
`
  return { document, style }
}

// Standalone documents that reveal nothing about any page: password form, not found, unavailable.
import type { Locale } from '../../domain/values/locale.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { ShownPage } from '../snapshot/snapshot.ts'
import { assetName, type Style, styleFor } from './assets.ts'
import { definitions, mark } from './drawings.ts'
import { themeOf } from './layout.ts'
import type { Links } from './links.ts'

export type SmallPage = { document: Html; style: Style }

export type Appearance = { locale: Locale; links: Links } & Pick<ShownPage, 'theme' | 'accentColor'>

export function plainAppearance(locale: Locale, links: Links): Appearance {
  return { locale, links, theme: 'SYSTEM', accentColor: null }
}

export function renderNotFound(appearance: Appearance): SmallPage {
  const messages = messagesOf(appearance.locale).page
  return frame(appearance, messages.notFound, html`<p>${messages.notFoundText}</p>`)
}

export function renderUnavailable(appearance: Appearance): SmallPage {
  const messages = messagesOf(appearance.locale).page
  return frame(appearance, messages.away, html`<p>${messages.awayText}</p>`)
}

export type PasswordRefusal = 'WRONG' | 'TOO_MANY' | undefined

/** `next` is the part of the page to open afterwards, such as `history`. */
export function renderPasswordForm(
  appearance: Appearance,
  next: string,
  refusal: PasswordRefusal,
): SmallPage {
  const messages = messagesOf(appearance.locale).page
  const complaint = { WRONG: messages.wrongPassword, TOO_MANY: messages.tooManyTries }
  const error =
    refusal !== undefined &&
    html`<p class="error is-down" id="error" role="alert">${mark('MAJOR_OUTAGE')}${complaint[refusal]}</p>`
  const invalid = refusal !== undefined && raw(' aria-invalid="true" aria-describedby="error"')
  const body = html`<p>${messages.passwordText}</p>
<form method="post" action="${appearance.links.unlock}"><input type="hidden" name="next" value="${next}"><label class="field"><span class="label">${messages.password}</span><input class="input" type="password" name="password" autocomplete="current-password" required maxlength="128" autofocus${invalid}></label>${error}<button class="btn primary">${messages.open}</button></form>`
  return frame(appearance, messages.passwordTitle, body)
}

export function frame(appearance: Appearance, title: string, content: Html): SmallPage {
  const style = styleFor(appearance.links.assets, appearance.accentColor)
  const icon = `${appearance.links.assets}/${assetName('favicon.svg')}`
  const body = html`<main class="alone"><div class="card"><h1>${title}</h1>${content}</div></main>`
  const document = html`<!doctype html>
<html lang="${appearance.locale}"${themeOf(appearance)}>
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

// Small documents. Most reveal nothing about any page: password form, not found, unavailable. Others are for visitors
// who may read the page, and have its header.
import type { Locale } from '../../domain/values/locale.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { ShownPage } from '../snapshot/snapshot.ts'
import { assetName, type Style, styleFor } from './assets.ts'
import { definitions, letterTile, mark } from './drawings.ts'
import { renderDocument, themeOf, type View } from './layout.ts'
import type { Links } from './links.ts'

/** `page`: whose pictures it shows, if any. */
export type SmallPage = {
  document: Html
  style: Style
  page?: Pick<ShownPage, 'logoUrl' | 'faviconUrl'>
}

/** `name` is the page's, for those who may know it. */
export type Appearance = { locale: Locale; links: Links; name?: string } & Pick<
  ShownPage,
  'theme' | 'accentColor'
>

export function plainAppearance(locale: Locale, links: Links): Appearance {
  return { locale, links, theme: 'SYSTEM', accentColor: null }
}

export function renderNotFound(appearance: Appearance): SmallPage {
  const messages = messagesOf(appearance.locale).page
  return frame(appearance, messages.notFound, html`<p>${messages.notFoundText}</p>`)
}

/** For visitors who may read the page: it leads back there. */
export function renderNotFoundBelow(view: View): SmallPage {
  const { page, subscribe } = messagesOf(view.snapshot.page.locale)
  const back = html`<p><a class="link" href="${view.links.home}">${subscribe.toPage}</a></p>`
  return renderBelow(view, {
    title: page.notFound,
    content: html`<p>${page.notFoundText}</p>${back}`,
  })
}

type BelowPage = { title: string; content: Html; path?: string; current?: 'SUBSCRIBE' }

/** With the header and footer of the page. */
export function renderBelow(view: View, below: BelowPage): SmallPage {
  const { page } = view.snapshot
  const { title, content, path = '', current } = below
  const main = html`<main class="pub below" id="main"><div class="card"><h1>${title}</h1>${content}</div></main>`
  const document = renderDocument(view, {
    title: `${title} – ${view.format.messages.title(page.name)}`,
    summary: title,
    path,
    ...(current && { current }),
    isStill: true,
    main,
  })
  return { document, style: view.style, page }
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
  const complaint = { WRONG: messages.wrongPassword, TOO_MANY: messages.tooManyAttempts }
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
  const brand =
    appearance.name !== undefined &&
    html`<p class="brand">${letterTile(appearance.name)}<bdi>${appearance.name}</bdi></p>`
  const body = html`<main class="alone">${brand}<div class="card"><h1>${title}</h1>${content}</div></main>`
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

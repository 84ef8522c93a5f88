// Where visitors subscribe: the menu in the header of every page, and the field on an ongoing incident.
import type { Locale } from '../../domain/values/locale.ts'
import { type Html, html } from '../../render/html.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { ShownPage } from '../snapshot/snapshot.ts'
import { icon } from './drawings.ts'
import type { Links } from './links.ts'

export function renderSubscribeMenu(
  { locale, canSubscribe }: Pick<ShownPage, 'locale' | 'canSubscribe'>,
  links: Links,
): Html {
  const { page, subscribe } = messagesOf(locale)
  const byEmail =
    canSubscribe &&
    html`${renderEmailForm(locale, links)}<a href="${links.subscribe}">${subscribe.someComponents}</a>`
  return html`<details class="menu"><summary class="btn">${icon('bell')}${page.subscribe}</summary><div class="card">${byEmail}<a href="${links.file('feed.rss')}">RSS</a><a href="${links.file('feed.atom')}">Atom</a></div></details>`
}

/** One field, for all updates of the page. */
export function renderEmailForm(locale: Locale, links: Links): Html {
  const messages = messagesOf(locale).subscribe
  return html`<form class="join" method="post" action="${links.subscribe}"><label class="field"><span class="label">${messages.address}</span><input class="input" type="email" name="email" autocomplete="email" required maxlength="254" placeholder="name@example.com"></label><button class="btn primary">${messages.subscribe}</button></form>`
}

// Where visitors subscribe: the menu in the header of every page, and the field on an ongoing incident.
import type { HookKind } from '../../domain/status-pages/subscriber.ts'
import type { Locale } from '../../domain/values/locale.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { ShownPage } from '../snapshot/snapshot.ts'
import { icon } from './drawings.ts'
import type { Links } from './links.ts'

type SubscribablePage = Pick<ShownPage, 'locale' | 'canSubscribe' | 'canSubscribeByHook'>

export function renderSubscribeMenu(
  { locale, canSubscribe, canSubscribeByHook }: SubscribablePage,
  links: Links,
): Html {
  const { page, subscribe } = messagesOf(locale)
  const byEmail =
    canSubscribe &&
    html`${renderEmailForm(locale, links)}<a href="${links.subscribe}">${subscribe.someComponents}</a>`
  return html`<details class="menu"><summary class="btn">${icon('bell')}${page.subscribe}</summary><div class="card">${byEmail}${canSubscribeByHook && HOOK_KINDS.map((kind) => renderFolded(kind, locale, links))}<a href="${links.file('feed.rss')}">RSS</a><a href="${links.file('feed.atom')}">Atom</a></div></details>`
}

/** One field, for all updates of the page. */
export function renderEmailForm(locale: Locale, links: Links): Html {
  const messages = messagesOf(locale).subscribe
  return html`<form class="join" method="post" action="${links.subscribe}"><label class="field"><span class="label">${messages.address}</span><input class="input" type="email" name="email" autocomplete="email" required maxlength="254" placeholder="name@example.com"></label><button class="btn primary">${messages.subscribe}</button></form>`
}

const HOOK_KINDS = ['SLACK', 'WEBHOOK'] as const
export const HOOK_FIELDS = { SLACK: 'slack', WEBHOOK: 'webhook' } as const
const PLACEHOLDERS = {
  SLACK: 'https://hooks.slack.com/services/…',
  WEBHOOK: 'https://example.com/hook',
} as const

/** Unfolds without a script, one at a time. */
function renderFolded(kind: HookKind, locale: Locale, links: Links): Html {
  const { title } = messagesOf(locale).subscribe.hooks[kind]
  return html`<details class="way" name="way"><summary>${title}</summary>${renderHookForm(kind, locale, links)}</details>`
}

type TypedHook = { value: string; error: Html }

/** `typed`: what was refused, and why. */
export function renderHookForm(
  kind: HookKind,
  locale: Locale,
  links: Links,
  typed?: TypedHook,
): Html {
  const { hooks, subscribe } = messagesOf(locale).subscribe
  const invalid = typed !== undefined && raw(' aria-invalid="true" aria-describedby="error"')
  return html`<form class="join" method="post" action="${links.subscribe}"><label class="field"><span class="label">${hooks[kind].address}</span><input class="input" type="url" name="${HOOK_FIELDS[kind]}" autocomplete="off" required maxlength="500" placeholder="${PLACEHOLDERS[kind]}" value="${typed?.value ?? ''}"${invalid}></label>${typed?.error}<button class="btn primary">${subscribe}</button></form>`
}

// The pages for subscriptions. A link in an email opens one that asks; only its button changes anything.
import type { HookKind, SubscriberKind } from '../../domain/status-pages/subscriber.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { SubscribeMessages } from '../../render/messages/shape.ts'
import type { ChoosableComponent } from '../../store/status-pages/subscribers.ts'
import { mark } from '../views/drawings.ts'
import type { View } from '../views/layout.ts'
import type { Links } from '../views/links.ts'
import { type Appearance, frame, renderBelow, type SmallPage } from '../views/small-pages.ts'
import { renderHookForm } from '../views/subscribe-menu.ts'

/** `name` is the page's. */
export type SubscribeContext = Appearance & { name: string; kind: SubscriberKind }

export type FormState = {
  components: readonly ChoosableComponent[]
  /** Null: all updates. */
  chosen?: readonly string[] | null
  refusal?: Refusal
  /** The text that was typed, so that it can be corrected. */
  typed?: string
}

type Refusal = 'ADDRESS' | 'TOO_MANY' | 'NONE_CHOSEN' | HookKind

export function renderSubscribe(view: View, state: FormState): SmallPage {
  const { links, snapshot } = view
  const messages = messagesOf(snapshot.page.locale).subscribe
  const { refusal, typed = '', chosen = null, components } = state
  const invalid = refusal === 'ADDRESS' && raw(' aria-invalid="true" aria-describedby="error"')
  const form =
    snapshot.page.canSubscribe &&
    html`<p>${messages.text}</p>
<form method="post" action="${links.subscribe}"><label class="field"><span class="label">${messages.address}</span><input class="input" type="email" name="email" autocomplete="email" required maxlength="254" value="${typed}"${invalid}></label>${refusal === 'ADDRESS' && renderError(messages, refusal)}${renderChoice(messages, components, chosen)}${(refusal === 'TOO_MANY' || refusal === 'NONE_CHOSEN') && renderError(messages, refusal)}<button class="btn primary">${messages.subscribe}</button></form>`
  const content = html`${form}${renderHooks(view, state)}${back(links, messages)}`
  const title = messages.title(snapshot.page.name)
  return renderBelow(view, { title, content, path: '/subscribe', current: 'SUBSCRIBE' })
}

function renderHooks(view: View, { refusal, typed = '' }: FormState): Html | false {
  const { links, snapshot } = view
  const { locale, canSubscribeByHook } = snapshot.page
  const messages = messagesOf(locale).subscribe
  const forms = (['SLACK', 'WEBHOOK'] as const).map((kind) => {
    const refused =
      refusal === kind ? { value: typed, error: renderError(messages, kind) } : undefined
    const isOpen = refused !== undefined && raw(' open')
    return html`<details class="way" name="way"${isOpen}><summary>${messages.hooks[kind].title}</summary>${renderHookForm(kind, locale, links, refused)}</details>`
  })
  return canSubscribeByHook && html`<div class="ways">${forms}</div>`
}

function renderError(messages: SubscribeMessages, refusal: Refusal): Html {
  const text = {
    ADDRESS: messages.addressRefused,
    TOO_MANY: messages.tooMany,
    NONE_CHOSEN: messages.noneChosen,
    SLACK: messages.hooks.SLACK.refused,
    WEBHOOK: messages.hooks.WEBHOOK.refused,
  }[refusal]
  return html`<p class="error is-down" id="error" role="alert">${mark('MAJOR_OUTAGE')}${text}</p>`
}

/** The same for every address, known or not. */
export function renderSent(view: View, kind: SubscriberKind = 'EMAIL'): SmallPage {
  const messages = messagesOf(view.snapshot.page.locale).subscribe
  const { sentTitle: title, sentText } = kind === 'EMAIL' ? messages : messages.hooks[kind]
  const content = html`<p>${sentText}</p>${back(view.links, messages)}`
  return renderBelow(view, { title, content, path: '/subscribe', current: 'SUBSCRIBE' })
}

export function renderConfirm(context: SubscribeContext): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${aboutIt(context, messages.confirmText, messages.hookConfirmText)}</p>${button(messages.confirm)}`
  return frame(context, messages.confirmTitle, body)
}

export function renderSubscribed(context: SubscribeContext, manageUrl: string): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${aboutIt(context, messages.subscribedText, messages.hookSubscribedText)}</p><p><a class="link" href="${manageUrl}">${messages.manageTitle}</a></p>${back(context.links, messages)}`
  return frame(context, messages.subscribedTitle, body)
}

export type ManageState = {
  components: readonly ChoosableComponent[]
  /** Null: all updates; undefined: some components were wanted, but none was chosen. */
  chosen: readonly string[] | null | undefined
  isSaved: boolean
  unsubscribeUrl: string
}

export function renderManage(context: SubscribeContext, state: ManageState): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const { components, chosen, isSaved, unsubscribeUrl } = state
  const saved = isSaved && html`<p role="status">${messages.saved}</p>`
  const form =
    components.length > 0 &&
    html`<form method="post">${renderChoice(messages, components, chosen)}${chosen === undefined && renderError(messages, 'NONE_CHOSEN')}<button class="btn primary">${messages.save}</button></form>`
  const body = html`<p>${messages.manageText(context.name)}</p>${saved}${form}<p><a class="link" href="${unsubscribeUrl}">${messages.unsubscribe}</a></p>${back(context.links, messages)}`
  return frame(context, messages.manageTitle, body)
}

export function renderUnsubscribe(context: SubscribeContext): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${aboutIt(context, messages.unsubscribeText, messages.hookUnsubscribeText)}</p>${button(messages.unsubscribe)}${back(context.links, messages)}`
  return frame(context, messages.unsubscribeTitle, body)
}

export function renderUnsubscribed(context: SubscribeContext): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${aboutIt(context, messages.goneText, messages.hookGoneText)}</p>${back(context.links, messages)}`
  return frame(context, messages.goneTitle, body)
}

/** Not for any page: it reveals nothing about one. */
export function renderExpiredLink(appearance: Appearance): SmallPage {
  const messages = messagesOf(appearance.locale).subscribe
  return frame(appearance, messages.deadTitle, html`<p>${messages.deadText}</p>`)
}

const aboutIt = (
  { kind, name }: SubscribeContext,
  byEmail: (name: string) => string,
  byHook: (name: string) => string,
): string => (kind === 'EMAIL' ? byEmail : byHook)(name)

const button = (label: string): Html =>
  html`<form method="post"><button class="btn primary">${label}</button></form>`

const back = ({ home }: Links, messages: SubscribeMessages): Html =>
  html`<p><a class="link" href="${home}">${messages.toPage}</a></p>`

/** The components unfold when they are wanted, without a script. */
function renderChoice(
  messages: SubscribeMessages,
  components: readonly ChoosableComponent[],
  chosen: readonly string[] | null | undefined,
): Html | false {
  if (components.length === 0) return false
  const option = (value: string, label: string, isOn: boolean) =>
    html`<label class="pick"><input type="radio" name="scope" value="${value}"${isOn && raw(' checked')}>${label}</label>`
  const boxes = components.map(({ uuid, name }) => {
    const isChosen = chosen?.includes(uuid) === true && raw(' checked')
    return html`<label class="pick"><input type="checkbox" name="component" value="${toPublicId('cmp', uuid)}"${isChosen}><bdi>${name}</bdi></label>`
  })
  return html`<fieldset class="scope"><legend class="label">${messages.components}</legend>${option('all', messages.allUpdates, chosen === null)}${option('some', messages.someComponents, chosen !== null)}<div class="picks">${boxes}</div></fieldset>`
}

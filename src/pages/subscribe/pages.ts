// The small pages for subscriptions. A link in an email opens one that asks; only its button changes anything.
import { toPublicId } from '../../domain/values/id.ts'
import { type Html, html, raw } from '../../render/html.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { SubscribeMessages } from '../../render/messages/shape.ts'
import type { ChoosableComponent } from '../../store/status-pages/subscribers.ts'
import { mark } from '../views/drawings.ts'
import { type Appearance, frame, type SmallPage } from '../views/small-pages.ts'

/** `name` is the page's. */
export type SubscribeContext = Appearance & { name: string }

export type FormState = {
  components: readonly ChoosableComponent[]
  refusal?: 'ADDRESS' | 'TOO_MANY'
  /** The text that was typed, so that it can be corrected. */
  typed?: string
}

export function renderSubscribe(context: SubscribeContext, state: FormState): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const { refusal, typed = '' } = state
  const complaint = { ADDRESS: messages.addressRefused, TOO_MANY: messages.tooMany }
  const error =
    refusal !== undefined &&
    html`<p class="error is-down" id="error" role="alert">${mark('MAJOR_OUTAGE')}${complaint[refusal]}</p>`
  const invalid = refusal === 'ADDRESS' && raw(' aria-invalid="true" aria-describedby="error"')
  const body = html`<p>${messages.text}</p>
<form method="post" action="${context.links.subscribe}"><label class="field"><span class="label">${messages.address}</span><input class="input" type="email" name="email" autocomplete="email" required maxlength="254" value="${typed}"${invalid}></label>${error}${choice(messages, state.components, null)}<button class="btn primary">${messages.subscribe}</button></form>
${back(context, messages)}`
  return frame(context, messages.title(context.name), body)
}

/** The same for every address, known or not. */
export function renderSent(context: SubscribeContext): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  return frame(
    context,
    messages.sentTitle,
    html`<p>${messages.sentText}</p>${back(context, messages)}`,
  )
}

export function renderConfirm(context: SubscribeContext): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${messages.confirmText(context.name)}</p>${button(messages.confirm)}`
  return frame(context, messages.confirmTitle, body)
}

export function renderSubscribed(context: SubscribeContext, manageUrl: string): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${messages.subscribedText(context.name)}</p><p><a class="link" href="${manageUrl}">${messages.manageTitle}</a></p>${back(context, messages)}`
  return frame(context, messages.subscribedTitle, body)
}

export type ManageState = {
  components: readonly ChoosableComponent[]
  chosen: readonly string[] | null
  isSaved: boolean
  unsubscribeUrl: string
}

export function renderManage(context: SubscribeContext, state: ManageState): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const { components, chosen, isSaved, unsubscribeUrl } = state
  const saved = isSaved && html`<p role="status">${messages.saved}</p>`
  const form =
    components.length > 0 &&
    html`<form method="post">${choice(messages, components, chosen)}<button class="btn primary">${messages.save}</button></form>`
  const body = html`<p>${messages.manageText(context.name)}</p>${saved}${form}<p><a class="link" href="${unsubscribeUrl}">${messages.unsubscribe}</a></p>${back(context, messages)}`
  return frame(context, messages.manageTitle, body)
}

export function renderUnsubscribe(context: SubscribeContext): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${messages.unsubscribeText(context.name)}</p>${button(messages.unsubscribe)}${back(context, messages)}`
  return frame(context, messages.unsubscribeTitle, body)
}

export function renderUnsubscribed(context: SubscribeContext): SmallPage {
  const messages = messagesOf(context.locale).subscribe
  const body = html`<p>${messages.goneText(context.name)}</p>${back(context, messages)}`
  return frame(context, messages.goneTitle, body)
}

/** Not for any page: it reveals nothing about one. */
export function renderExpiredLink(appearance: Appearance): SmallPage {
  const messages = messagesOf(appearance.locale).subscribe
  return frame(appearance, messages.deadTitle, html`<p>${messages.deadText}</p>`)
}

const button = (label: string): Html =>
  html`<form method="post"><button class="btn primary">${label}</button></form>`

const back = ({ links }: Appearance, messages: SubscribeMessages): Html =>
  html`<p><a class="link" href="${links.home}">${messages.toPage}</a></p>`

function choice(
  messages: SubscribeMessages,
  components: readonly ChoosableComponent[],
  chosen: readonly string[] | null,
): Html | false {
  const boxes = components.map(({ uuid, name }) => {
    const isChosen = chosen?.includes(uuid) === true && raw(' checked')
    return html`<label class="pick"><input type="checkbox" name="component" value="${toPublicId('cmp', uuid)}"${isChosen}><bdi>${name}</bdi></label>`
  })
  return (
    components.length > 0 &&
    html`<div class="field" role="group" aria-labelledby="only"><span class="label" id="only">${messages.components}</span><div>${boxes}</div><p>${messages.componentsHint}</p></div>`
  )
}

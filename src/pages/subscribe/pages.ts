// The small pages around a subscription. A link in a mail opens one that asks; only its button changes anything.
import { toPublicId } from '../../domain/values/id.ts'
import type { ChoosableComponent } from '../../store/status-pages/subscribers.ts'
import { mark } from '../views/drawings.ts'
import { html, type Markup, raw } from '../views/html.ts'
import { frame, type Look, type SmallPage } from '../views/small-pages.ts'
import { type SubscribeWords, subscribeWordsOf } from './words.ts'

/** `name` is the page's. */
export type Setting = Look & { name: string }

export type FormState = {
  components: readonly ChoosableComponent[]
  refusal?: 'ADDRESS' | 'TOO_MANY'
  /** What was typed, so that it can be mended. */
  typed?: string
}

export function renderSubscribe(setting: Setting, state: FormState): SmallPage {
  const words = subscribeWordsOf(setting.locale)
  const { refusal, typed = '' } = state
  const complaint = { ADDRESS: words.addressRefused, TOO_MANY: words.tooMany }
  const error =
    refusal !== undefined &&
    html`<p class="error is-down" id="error" role="alert">${mark('MAJOR_OUTAGE')}${complaint[refusal]}</p>`
  const invalid = refusal === 'ADDRESS' && raw(' aria-invalid="true" aria-describedby="error"')
  const body = html`<p>${words.text}</p>
<form method="post" action="${setting.links.subscribe}"><label class="field"><span class="label">${words.address}</span><input class="input" type="email" name="email" autocomplete="email" required maxlength="254" value="${typed}"${invalid}></label>${error}${choice(words, state.components, null)}<button class="btn primary">${words.subscribe}</button></form>
${back(setting, words)}`
  return frame(setting, words.title(setting.name), body)
}

/** The same for every address, whatever is known of it. */
export function renderSent(setting: Setting): SmallPage {
  const words = subscribeWordsOf(setting.locale)
  return frame(setting, words.sentTitle, html`<p>${words.sentText}</p>${back(setting, words)}`)
}

export function renderConfirm(setting: Setting): SmallPage {
  const words = subscribeWordsOf(setting.locale)
  const body = html`<p>${words.confirmText(setting.name)}</p>${button(words.confirm)}`
  return frame(setting, words.confirmTitle, body)
}

export function renderSubscribed(setting: Setting, manageUrl: string): SmallPage {
  const words = subscribeWordsOf(setting.locale)
  const body = html`<p>${words.subscribedText(setting.name)}</p><p><a class="link" href="${manageUrl}">${words.manageTitle}</a></p>${back(setting, words)}`
  return frame(setting, words.subscribedTitle, body)
}

export type ManageState = {
  components: readonly ChoosableComponent[]
  chosen: readonly string[] | null
  isSaved: boolean
  unsubscribeUrl: string
}

export function renderManage(setting: Setting, state: ManageState): SmallPage {
  const words = subscribeWordsOf(setting.locale)
  const { components, chosen, isSaved, unsubscribeUrl } = state
  const saved = isSaved && html`<p role="status">${words.saved}</p>`
  const form =
    components.length > 0 &&
    html`<form method="post">${choice(words, components, chosen)}<button class="btn primary">${words.save}</button></form>`
  const body = html`<p>${words.manageText(setting.name)}</p>${saved}${form}<p><a class="link" href="${unsubscribeUrl}">${words.unsubscribe}</a></p>${back(setting, words)}`
  return frame(setting, words.manageTitle, body)
}

export function renderUnsubscribe(setting: Setting): SmallPage {
  const words = subscribeWordsOf(setting.locale)
  const body = html`<p>${words.unsubscribeText(setting.name)}</p>${button(words.unsubscribe)}${back(setting, words)}`
  return frame(setting, words.unsubscribeTitle, body)
}

export function renderGone(setting: Setting): SmallPage {
  const words = subscribeWordsOf(setting.locale)
  const body = html`<p>${words.goneText(setting.name)}</p>${back(setting, words)}`
  return frame(setting, words.goneTitle, body)
}

/** Of nobody: it says nothing of any page. */
export function renderDead(look: Look): SmallPage {
  const words = subscribeWordsOf(look.locale)
  return frame(look, words.deadTitle, html`<p>${words.deadText}</p>`)
}

const button = (label: string): Markup =>
  html`<form method="post"><button class="btn primary">${label}</button></form>`

const back = ({ links }: Look, words: SubscribeWords): Markup =>
  html`<p><a class="link" href="${links.home}">${words.toPage}</a></p>`

function choice(
  words: SubscribeWords,
  components: readonly ChoosableComponent[],
  chosen: readonly string[] | null,
): Markup | false {
  const boxes = components.map(({ uuid, name }) => {
    const isChosen = chosen?.includes(uuid) === true && raw(' checked')
    return html`<label class="pick"><input type="checkbox" name="component" value="${toPublicId('cmp', uuid)}"${isChosen}><bdi>${name}</bdi></label>`
  })
  return (
    components.length > 0 &&
    html`<div class="field" role="group" aria-labelledby="only"><span class="label" id="only">${words.components}</span><div>${boxes}</div><p>${words.componentsHint}</p></div>`
  )
}

// Times that the page's script can show in the visitor's own zone.
import { type Html, html } from '../../render/html.ts'

/** How the script formats a time in the visitor's own zone: bare, with zone, with seconds, with day. */
type TimeForm = 't' | 'z' | 's' | 'd'

export function timeTag(at: Date, text: string, form: TimeForm): Html {
  return html`<time datetime="${at.toISOString()}" data-form="${form}">${text}</time>`
}

export function spanTag(from: Date, to: Date, text: string): Html {
  return html`<time datetime="${from.toISOString()}" data-to="${to.toISOString()}" data-form="d">${text}</time>`
}

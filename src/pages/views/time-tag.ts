// Times in the page's zone. The page's script adds the visitor's own on hover.
import { type Html, html } from '../../render/html.ts'

/** How the script writes the visitor's own time: clock, with seconds, with day. */
type TimeForm = 'z' | 's' | 'd'

export function timeTag(at: Date, text: string, form: TimeForm): Html {
  return html`<time datetime="${at.toISOString()}" data-form="${form}">${text}</time>`
}

export function spanTag(from: Date, to: Date, text: string): Html {
  return html`<time datetime="${from.toISOString()}" data-to="${to.toISOString()}" data-form="d">${text}</time>`
}

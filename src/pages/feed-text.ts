// An incident as one readable text, for feed readers.
import { html, type Markup } from './html.ts'
import { upToLimit } from './incident-page.ts'
import type { View } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import type { Incident } from './snapshot.ts'

export function renderPhasesText({ format, snapshot }: View, incident: Incident): Markup {
  const names = incident.components.map(({ name }) => name).join(format.words.listGap)
  const updates = upToLimit(incident.updates).map(
    ({ status, message, createdAt }) =>
      html`<p><strong>${format.words.phases[status]}</strong> – <time datetime="${createdAt.toISOString()}">${format.dayAndTime(createdAt, snapshot.asOf)}</time></p>${message !== '' && renderMarkdown(message)}`,
  )
  return html`${names !== '' && html`<p>${format.words.affected}: ${names}</p>`}${updates}`
}

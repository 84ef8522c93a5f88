// An incident as one readable text, for feed readers.
import type { Incident } from '../snapshot/snapshot.ts'
import { html, type Markup } from '../views/html.ts'
import { upToLimit } from '../views/incident-page.ts'
import type { View } from '../views/layout.ts'
import { renderMarkdown } from '../views/markdown.ts'

export function renderPhasesText({ format, snapshot }: View, incident: Incident): Markup {
  const names = incident.components.map(({ name }) => name).join(format.words.listGap)
  const updates = upToLimit(incident.updates).map(
    ({ status, message, createdAt }) =>
      html`<p><strong>${format.words.phases[status]}</strong> – <time datetime="${createdAt.toISOString()}">${format.dayAndTime(createdAt, snapshot.asOf)}</time></p>${message !== '' && renderMarkdown(message)}`,
  )
  return html`${names !== '' && html`<p>${format.words.affected}: ${names}</p>`}${updates}`
}

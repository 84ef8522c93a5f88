// An incident as one readable text, for feed readers.

import { type Html, html } from '../../render/html.ts'
import type { PageIncident } from '../snapshot/snapshot.ts'
import { upToLimit } from '../views/incident-page.ts'
import type { View } from '../views/layout.ts'
import { renderMarkdown } from '../views/markdown.ts'

export function renderPhasesText({ format, snapshot }: View, incident: PageIncident): Html {
  const names = incident.components.map(({ name }) => name).join(format.messages.listGap)
  const updates = upToLimit(incident.updates).map(
    ({ status, message, createdAt }) =>
      html`<p><strong>${format.messages.phases[status]}</strong> – <time datetime="${createdAt.toISOString()}">${format.dayAndTime(createdAt, snapshot.asOf)}</time></p>${message !== '' && renderMarkdown(message)}`,
  )
  const { postMortem } = incident
  const url = `${snapshot.page.url}/incidents/${incident.id}#post-mortem`
  const learned =
    postMortem !== null &&
    html`<p><strong><a href="${url}">${format.messages.postMortem}</a></strong> – <time datetime="${postMortem.createdAt.toISOString()}">${format.dayAndTime(postMortem.createdAt, snapshot.asOf)}</time></p>`
  return html`${learned}${names !== '' && html`<p>${format.messages.affected}: ${names}</p>`}${updates}`
}

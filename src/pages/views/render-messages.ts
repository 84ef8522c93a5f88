// Renders a page's messages ahead of its documents, in pieces: all at once can take seconds.
import { collectInTurn } from '../../platform/limits/busy-work.ts'
import type { PageIncident } from '../snapshot/snapshot.ts'
import { excerptOf } from './excerpt.ts'
import { renderMarkdown } from './markdown.ts'

/** The renderer caches the results, where the documents find them. */
export async function renderMessages(
  orgId: string,
  incidents: readonly PageIncident[],
): Promise<void> {
  await collectInTurn(orgId, rendered(incidents))
}

function* rendered(incidents: readonly PageIncident[]): Generator<void> {
  for (const incident of incidents) {
    yield void excerptOf(incident)
    for (const { message } of incident.updates) yield void renderMarkdown(message)
    const learned = incident.postMortem?.message ?? ''
    if (learned !== '') yield void renderMarkdown(learned)
  }
}

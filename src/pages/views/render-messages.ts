// Renders the messages of a page ahead of its documents, in pieces: all of them at once can take seconds.
import { collectInTurn } from '../../platform/limits/busy-work.ts'
import type { PageIncident } from '../snapshot/snapshot.ts'
import { renderMarkdown } from './markdown.ts'
import { excerptOf } from './overview.ts'

/** What it renders is kept by the renderer, so that documents find it there. */
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
  }
}

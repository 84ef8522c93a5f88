// Renders the messages of a page ahead of its documents, in pieces: all of them at once can take seconds.

import { PIECE_MS, runInTurn } from '../platform/busy-work.ts'
import { renderMarkdown } from './markdown.ts'
import { excerptOf } from './overview.ts'
import type { Incident } from './snapshot.ts'

/** What it renders is kept by the renderer, so that documents find it there. */
export async function renderMessages(orgId: string, incidents: readonly Incident[]): Promise<void> {
  const work = incidents.flatMap((incident) => [
    () => void excerptOf(incident),
    ...incident.updates.map(
      ({ message }) =>
        () =>
          void renderMarkdown(message),
    ),
  ])
  let done = 0
  while (done < work.length)
    await runInTurn(orgId, () => {
      const endMs = performance.now() + PIECE_MS
      do work[done++]?.()
      while (done < work.length && performance.now() < endMs)
    })
}

// The incident as visitors will see it, drawn by the public page renderer on every keystroke.
import { publishPartsText as TEXT } from '../../../messages/publishing/incidents.ts'
import { plainAddress, type StatusPageView } from '../page.ts'
import { PreviewBar, PreviewFrame, useDrawing } from '../preview.tsx'
import { type StatusIncidentDraft, toNextUpdate } from './incident-draft.ts'
import '../../../ui/browser-frame.css'
import '../preview.css'
import './incident-parts.css'

type IncidentPreviewProps = {
  pages: readonly StatusPageView[]
  draft: StatusIncidentDraft
  startedAt: string
  statusIncidentId?: string
}

export function IncidentPreview({
  pages,
  draft,
  startedAt,
  statusIncidentId,
}: IncidentPreviewProps) {
  const { statusPageIds, title, status, impact, message } = draft
  const page = pages.find(({ id }) => statusPageIds.includes(id))
  const own = new Set(
    page?.sections.flatMap(({ components }) => components.map(({ id }) => id)) ?? [],
  )
  const components = draft.components.filter(({ componentId }) => own.has(componentId))
  const about = { title, status, impact, message, components, startedAt }
  const { nextUpdateBy = '' } = toNextUpdate(draft)
  const drawing = useDrawing(
    'POST /status-incident-drafts',
    page && {
      statusPageId: page.id,
      ...about,
      ...(!Number.isNaN(Date.parse(nextUpdateBy)) && { nextUpdateBy }),
      ...(statusIncidentId !== undefined && { statusIncidentId }),
    },
  )
  return (
    <aside aria-labelledby="as-read">
      <div className="preview-tools">
        <h2 id="as-read" className="label">
          {TEXT.preview}
        </h2>
        {page && (
          <span className="hint truncate" title={page.name}>
            {page.name}
          </span>
        )}
      </div>
      <div className="preview live-preview">
        <PreviewBar address={page ? plainAddress(page.url) : TEXT.noPage} />
        <PreviewFrame drawn={drawing.drawn} title={TEXT.previewTitle} className="as-read" />
      </div>
    </aside>
  )
}

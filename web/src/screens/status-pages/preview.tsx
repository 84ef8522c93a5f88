// What visitors would see, drawn by the public page renderer in a frame without an origin.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { callOrganizationApi } from '../../api/call.ts'
import type { InputOf, ResponseOf } from '../../api/contract.ts'
import { isProblem } from '../../api/problem.ts'
import { previewText as TEXT } from '../../messages/publishing/status-pages.ts'
import { useOrganization } from '../../session/organization.ts'
import { useAddress } from '../../ui/address.ts'
import { Segment } from '../../ui/segment.tsx'
import '../../ui/browser-frame.css'
import './preview.css'

type Drawings = 'POST /status-page-drafts' | 'POST /status-incident-drafts'

type Drawn = ResponseOf<Drawings>

const TYPING_MS = 120

/** Redrawn when the person stops typing. Undefined if it cannot be drawn; the frame then keeps what it shows. */
export function useDrawing<R extends Drawings>(route: R, body: InputOf<R>['body'] | undefined) {
  const { id } = useOrganization()
  const text = JSON.stringify(body)
  const settled = useSettled(text)
  const query = useQuery({
    // Keyed as a read of the organization, so the stream invalidates it when its content changes.
    queryKey: [id, route, settled],
    // Safe because the text was serialized from such a body.
    queryFn: () =>
      callOrganizationApi(id, route, { body: JSON.parse(settled ?? '') } as InputOf<R>),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })
  return { drawn: query.data, isRefused: isProblem(query.error, 'validation_error') }
}

function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type FrameProps = { drawn: Drawn | undefined; title: string; className?: string }

/** Isolates the page from the dashboard: no origin, forms, windows or access to the parent (docs/decisions/0012). */
export function PreviewFrame({ drawn, title, className = '' }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(0)
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent) => {
      if (data === 'ready' && source === frame.current?.contentWindow) setReady((n) => n + 1)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    // To any origin, because the frame has none.
    if (ready > 0 && drawn !== undefined) frame.current?.contentWindow?.postMessage(drawn, '*')
  }, [ready, drawn])
  return (
    <div className={`stage ${className}`}>
      <iframe ref={frame} src="/app/preview" sandbox="allow-scripts" title={title} />
    </div>
  )
}

const ADDRESS = { size: 'desktop' }
const SIZES = [
  {
    value: 'desktop',
    label: (
      <>
        <Monitor className="icon" aria-hidden="true" />
        {TEXT.desktop}
      </>
    ),
  },
  {
    value: 'phone',
    label: (
      <>
        <Smartphone className="icon" aria-hidden="true" />
        {TEXT.phone}
      </>
    ),
  },
]

type PreviewProps = {
  title: string
  address: string
  drawing: ReturnType<typeof useDrawing>
  /** Shown in the bar, such as a note about unsaved changes. */
  note?: ReactNode
}

export function Preview({ title, address, drawing, note }: PreviewProps) {
  const [{ size }] = useAddress(ADDRESS)
  return (
    <section className="preview-col" id="preview" aria-labelledby="h-preview">
      <div className="preview-tools">
        <h2 id="h-preview" className="label">
          {TEXT.title}
        </h2>
        {drawing.isRefused && (
          <span className="hint" role="status">
            {TEXT.lastValid}
          </span>
        )}
        <Segment label={TEXT.size} name="size" value={size} options={SIZES} />
      </div>
      <div className="preview live-preview">
        <PreviewBar address={address}>{note}</PreviewBar>
        <PreviewFrame drawn={drawing.drawn} title={title} className={size} />
      </div>
    </section>
  )
}

/** A browser's top bar with the public address. */
export function PreviewBar({ address, children }: { address: string; children?: ReactNode }) {
  return (
    <div className="preview-bar">
      <i />
      <i />
      <i />
      <span className="truncate" title={address}>
        {address}
      </span>
      {children}
    </div>
  )
}

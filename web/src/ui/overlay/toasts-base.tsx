// How toasts appear, disappear and are announced. The next one replaces the one before.

import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { controlsText } from '../../messages/controls.ts'
import { followToast, type ToastMessage, type ToastShower } from '../../session/toast.ts'
import { Mark } from '../state.tsx'
import { keepClear } from './toast-clear.ts'
import './toasts.css'

const SHOWN_MS = 6000

type Data = Pick<ToastMessage, 'tone'>
type Shown = { id: string; message: ToastMessage; atMs: number }

const manager = Toast.createToastManager<Data>()
let shown: Shown | undefined

function show(next: ToastMessage): void {
  const nowMs = performance.now()
  const before = shown
  const message = before ? followToast(before.message, next, nowMs - before.atMs) : next
  const { sentence, tone, undo } = message
  const id: string = manager.add({
    title: sentence,
    data: { tone },
    timeout: SHOWN_MS,
    priority: tone === 'bad' ? 'high' : 'low',
    onClose: () => {
      if (shown?.id === id) shown = undefined
    },
    ...(undo && { actionProps: { children: undo.label ?? 'Undo', onClick } }),
  })
  shown = { id, message, atMs: nowMs }
  if (before) manager.close(before.id)
  function onClick() {
    manager.close(id)
    undo?.run()
  }
}

function withdraw(): void {
  if (shown?.message.undo !== undefined) manager.close(shown.id)
}

/** `listen` calls back with every message, including those sent before it was called. */
export function Toasts({ listen }: { listen: (shower: ToastShower) => () => void }) {
  useEffect(() => listen({ show, withdraw }), [listen])
  const viewport = useRef<HTMLDivElement>(null)
  return (
    <Toast.Provider toastManager={manager} timeout={SHOWN_MS}>
      <Toast.Portal>
        <Toast.Viewport className="toasts" ref={viewport}>
          <ToastList viewport={viewport} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList({ viewport }: { viewport: RefObject<HTMLDivElement | null> }) {
  const { toasts } = Toast.useToastManager<Data>()
  const newest = toasts[0]?.id
  // It fades in, so that nobody sees it before it is in its place.
  useEffect(() => {
    if (newest === undefined || viewport.current === null) return
    return keepClear(viewport.current)
  }, [newest, viewport])
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" swipeDirection="down">
      {toast.data?.tone === 'bad' && (
        <span className="is-down toast-tone">
          <Mark state="DOWN" />
        </span>
      )}
      {toast.data?.tone === 'good' && (
        <span className="is-up toast-tone">
          <Mark state="UP" />
        </span>
      )}
      <Toast.Title render={<p />} />
      <Toast.Action className="act" />
      <Toast.Close className="toast-close" aria-label={controlsText.close}>
        <X className="icon sm" aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ))
}

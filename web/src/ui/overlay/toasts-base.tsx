// How toasts appear, disappear and are announced.
import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import type { ToastMessage } from '../../session/toast.ts'
import { Mark } from '../state.tsx'
import './toasts.css'

const SHOWN_MS = 6000
const AT_ONCE = 3

type Data = Pick<ToastMessage, 'tone'>
const manager = Toast.createToastManager<Data>()

function show({ sentence, tone, undo }: ToastMessage): void {
  const id = manager.add({
    title: sentence,
    data: { tone },
    timeout: SHOWN_MS,
    priority: tone === 'bad' ? 'high' : 'low',
    ...(undo && { actionProps: { children: undo.label ?? 'Undo', onClick } }),
  })
  function onClick() {
    manager.close(id)
    undo?.run()
  }
}

/** `listen` calls back with every message, including those sent before it was called. */
export function Toasts({
  listen,
}: {
  listen: (show: (message: ToastMessage) => void) => () => void
}) {
  useEffect(() => listen(show), [listen])
  return (
    <Toast.Provider toastManager={manager} timeout={SHOWN_MS} limit={AT_ONCE}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager<Data>()
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
      <Toast.Title className="toast-words" render={<p />} />
      <Toast.Action className="act" />
      <Toast.Close className="toast-close" aria-label="Close">
        <X className="icon sm" aria-hidden="true" />
      </Toast.Close>
    </Toast.Root>
  ))
}

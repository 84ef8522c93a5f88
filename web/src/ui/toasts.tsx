import { lazyPart } from './lazy.ts'
import type { ToastMessage, Undo } from './toast.ts'

const base = lazyPart(() => import('./toasts-base.tsx'))

let show: ((message: ToastMessage) => void) | undefined
const waiting: ToastMessage[] = []

/** Reports what was done, and offers to undo it if possible. Never for a field's problem. */
export function toast(sentence: string, tone: ToastMessage['tone'] = 'good', undo?: Undo): void {
  const message = { sentence, tone, undo }
  if (show !== undefined) return show(message)
  waiting.push(message)
  base.fetch()
}

function listen(shower: (message: ToastMessage) => void): () => void {
  show = shower
  for (const message of waiting.splice(0)) show(message)
  return () => {
    show = undefined
  }
}

/** Mounted once, around everything. */
export function Toasts() {
  const parts = base.use()
  return parts && <parts.Toasts listen={listen} />
}

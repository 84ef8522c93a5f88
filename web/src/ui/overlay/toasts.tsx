import { loadToastsWith, showToasts } from '../../session/toast.ts'
import { lazyPart } from '../lazy.ts'

const base = lazyPart(() => import('./toasts-base.tsx'))
loadToastsWith(() => void base.fetch())

/** Mounted once, around everything. */
export function Toasts() {
  const parts = base.use()
  return parts && <parts.Toasts listen={showToasts} />
}

import { later } from './later.ts'

const base = later(() => import('./toasts-base.tsx'))

type Undo = { label?: string; run: () => void }
export type Told = { sentence: string; tone: 'good' | 'bad' | 'plain'; undo?: Undo | undefined }

let show: ((told: Told) => void) | undefined
const waiting: Told[] = []

/** Says what was done, and offers to undo it where that is possible. Never for the problem of a field. */
export function tell(sentence: string, tone: Told['tone'] = 'good', undo?: Undo): void {
  const told = { sentence, tone, undo }
  if (show !== undefined) return show(told)
  waiting.push(told)
  base.fetch()
}

function listen(shower: (told: Told) => void): () => void {
  show = shower
  for (const told of waiting.splice(0)) show(told)
  return () => {
    show = undefined
  }
}

/** Stands once, around everything. */
export function Toasts() {
  const parts = base.use()
  return parts && <parts.Toasts listen={listen} />
}

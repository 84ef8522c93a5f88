// Short messages about what was done. They wait here until the part that shows them has loaded.

export type ToastMessage = {
  sentence: string
  tone: 'good' | 'bad' | 'plain'
  undo?: Undo | undefined
}
type Undo = { label?: string; run: () => void }
type Show = (message: ToastMessage) => void

const waiting: ToastMessage[] = []
let show: Show | undefined
let load: (() => void) | undefined

/** Reports what was done, and offers to undo it if possible. Never for a field's problem. */
export function toast(sentence: string, tone: ToastMessage['tone'] = 'good', undo?: Undo): void {
  const message = { sentence, tone, undo }
  if (show !== undefined) return show(message)
  waiting.push(message)
  load?.()
}

/** Shows each message, including those that waited. Returns how to stop. */
export function showToasts(shower: Show): () => void {
  show = shower
  for (const message of waiting.splice(0)) show(message)
  return () => {
    show = undefined
  }
}

/** `loader` loads the part that shows messages. It is called for each message that has to wait. */
export function loadToastsWith(loader: () => void): void {
  load = loader
}

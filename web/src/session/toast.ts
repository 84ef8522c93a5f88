// Short messages about what was done, one at a time. They wait here until the part that shows them has loaded.

export type ToastMessage = {
  sentence: string
  tone: 'good' | 'bad' | 'plain'
  undo?: Undo | undefined
}
type Undo = { label?: string; run: () => void }
export type ToastShower = {
  show: (message: ToastMessage) => void
  /** Closes a message that offers to undo something. */
  withdraw: () => void
}

// A problem and the message after it belong to the same action if they are this close.
const TOGETHER_MS = 2000
const MAX_JOINED = 240

const waiting: ToastMessage[] = []
let shower: ToastShower | undefined
let load: (() => void) | undefined

/** Reports what was done, and offers to undo it if possible. Never for a field's problem. */
export function toast(sentence: string, tone: ToastMessage['tone'] = 'good', undo?: Undo): void {
  const message = { sentence, tone, undo }
  if (shower !== undefined) return shower.show(message)
  waiting.push(message)
  load?.()
}

/** Call before each change: the Undo of an earlier one no longer fits. */
export function withdrawUndo(): void {
  shower?.withdraw()
}

/** Shows each message, including those that waited. Returns how to stop. */
export function showToasts(next: ToastShower): () => void {
  shower = next
  for (const message of waiting.splice(0)) next.show(message)
  return () => {
    shower = undefined
  }
}

/** `loader` loads the part that shows messages. It is called for each message that has to wait. */
export function loadToastsWith(loader: () => void): void {
  load = loader
}

/** What to show when `next` follows `shown` after so long: `next` alone, unless a problem would go unread. */
export function followToast(
  shown: ToastMessage,
  next: ToastMessage,
  afterMs: number,
): ToastMessage {
  const hasProblem = shown.tone === 'bad' || next.tone === 'bad'
  if (!hasProblem || afterMs > TOGETHER_MS || shown.sentence === next.sentence) return next
  const sentence = `${withStop(shown.sentence)} ${withStop(next.sentence)}`
  if (sentence.length > MAX_JOINED) return next
  return { sentence, tone: 'bad', undo: next.undo ?? shown.undo }
}

const withStop = (sentence: string): string =>
  ['.', '!', '?', '…'].includes(sentence.at(-1) ?? '') ? sentence : `${sentence}.`

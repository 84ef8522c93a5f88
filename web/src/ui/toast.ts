export type Undo = { label?: string; run: () => void }

export type ToastMessage = {
  sentence: string
  tone: 'good' | 'bad' | 'plain'
  undo?: Undo | undefined
}

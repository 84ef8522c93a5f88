// Secrets that are shown once.
export const secretText = {
  done: 'Done',
  saved: "I've saved it in a safe place",
  saveFirst: 'Confirm that you saved it first.',
} as const

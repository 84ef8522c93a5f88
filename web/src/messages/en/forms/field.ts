// Every field of a form.
export const fieldText = {
  /** Beside the label of a field that may be left empty. */
  optional: 'optional',
} as const

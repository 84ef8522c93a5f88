// Controls that many screens share.
export const controlsText = {
  close: 'Close',
  cancel: 'Cancel',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  range: '{from}–{to} of {total}',
} as const

export const managedByText = {
  label: 'Managed by {source}',
  at: 'Entry {address}',
  warning:
    'What you change here is overwritten when {source} is applied again. Change it in the file instead.',
} as const

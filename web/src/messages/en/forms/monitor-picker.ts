// Choosing monitors from a list with a search.
export const monitorPickerText = {
  search: 'Search',
  selectShown: 'Select all {count} shown',
  allSelected: 'All of these are selected.',
  more: '{count} more. Search to find them.',
  noMatches: 'No monitors match',
  none: 'No monitors yet',
} as const

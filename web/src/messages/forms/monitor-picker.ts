// Choosing monitors from a list with a search.
import { formatCount } from '../../time/figures.ts'

export const monitorPickerText = {
  search: 'Search',
  selectShown: (count: number) => `Select all ${formatCount(count)} shown`,
  allSelected: 'All of these are selected.',
  more: (count: number) => `${formatCount(count)} more. Search to find them.`,
  noMatches: 'No monitors match',
  none: 'No monitors yet',
}

// Fields for local dates and times.
export const dateFieldText = {
  moment: 'Enter a date and time, like Nov 16, 2026, 14:30.',
  day: 'Enter a date, like Nov 16, 2026.',
  clock: 'Enter a time, like 22:00.',
  openCalendar: '{label}: open calendar',
} as const

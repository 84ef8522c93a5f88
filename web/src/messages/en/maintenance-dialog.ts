// Maintenance that starts now, for one or more monitors.
export const maintenanceDialogText = {
  title: '{count, plural, one {Maintenance for this monitor} other {Maintenance for # monitors}}',
  titleOf: 'Maintenance for {name}',
  about: "Starts now. Checks continue, alerts are muted, and downtime isn't counted.",
  action: 'Start maintenance',
  name: 'Name',
  defaultName: 'Maintenance',
  duration: 'Duration',
  started: '{name} is on for {count, plural, one {# monitor} other {# monitors}}',
} as const

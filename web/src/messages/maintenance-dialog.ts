// Maintenance that starts now, for one or more monitors.
import { plural } from '../time/figures.ts'

export const maintenanceDialogText = {
  title: (count: number) =>
    count === 1 ? 'Maintenance for this monitor' : `Maintenance for ${plural(count, 'monitor')}`,
  titleOf: (name: string) => `Maintenance for ${name}`,
  about: "Starts now. Checks continue, alerts are muted, and downtime isn't counted.",
  action: 'Start maintenance',
  name: 'Name',
  defaultName: 'Maintenance',
  duration: 'Duration',
  started: (name: string, count: number) => `${name} is on for ${plural(count, 'monitor')}`,
}

// Sections of a status page that follow a tag.
import { plural } from '../../time/figures.ts'

export const followText = {
  menu: 'Follow a tag…',
  menuAfterSave: 'Follow a tag (save first)',
  stop: (tag: string) => `Stop following “${tag}”`,
  stopped: (tag: string) => `Stopped following “${tag}”. The components stay.`,
  badge: (tag: string) => `Follows “${tag}”`,
  automatic: (tag: string) => `Shows every monitor tagged “${tag}”.`,
  title: 'Follow a tag',
  about: 'The section shows every monitor with the tag, now and later.',
  tag: 'Tag',
  chooseTag: 'Choose a tag',
  option: (name: string, monitors: number) => `${name} (${plural(monitors, 'monitor')})`,
  noTags: "No tags yet. Add tags in a monitor's form first.",
  choose: 'Show monitors',
  action: (count: number) => `Show ${plural(count, 'monitor')}`,
  publishes: (count: number) =>
    count === 0
      ? 'No monitor has this tag yet. Each one that gets it appears on this page with its name.'
      : `Visitors of this page will see the ${count === 1 ? 'name of this monitor' : `names of these ${count} monitors`}. Each monitor that gets the tag later appears by itself.`,
  names: 'Monitors that will be shown',
  drops: (names: string) => `Without this tag, and removed from the section: ${names}`,
  done: (tag: string) => `The section follows “${tag}”`,
}

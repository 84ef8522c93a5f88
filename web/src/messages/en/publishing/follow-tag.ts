// Sections of a status page that follow a tag.
export const followText = {
  menu: 'Follow a tag…',
  menuAfterSave: 'Follow a tag (save first)',
  stop: 'Stop following “{tag}”',
  stopped: 'Stopped following “{tag}”. The components stay.',
  badge: 'Follows “{tag}”',
  automatic: 'Shows every monitor tagged “{tag}”.',
  title: 'Follow a tag',
  about: 'The section shows every monitor with the tag, now and later.',
  tag: 'Tag',
  chooseTag: 'Choose a tag',
  option: '{name} ({monitors, plural, one {# monitor} other {# monitors}})',
  noTags: "No tags yet. Add tags in a monitor's form first.",
  choose: 'Show monitors',
  action: 'Show {count, plural, one {# monitor} other {# monitors}}',
  publishes:
    '{count, plural, =0 {No monitor has this tag yet. Each one that gets it appears on this page with its name.} one {Visitors of this page will see the name of this monitor. Each monitor that gets the tag later appears by itself.} other {Visitors of this page will see the names of these # monitors. Each monitor that gets the tag later appears by itself.}}',
  names: 'Monitors that will be shown',
  drops: 'Without this tag, and removed from the section: {names}',
  done: 'The section follows “{tag}”',
} as const

// A monitor or incident that alerts no one.
export const silentText = {
  because: {
    NO_CONTACTS: 'this monitor has no contacts.',
    CONTACTS_OFF: "all of this monitor's contacts are off.",
    UNCONFIRMED: "the email addresses of this monitor's contacts are not confirmed.",
    NO_DEVICE: "no device can receive notifications for this monitor's contacts.",
    NOT_FOR_OUTAGES: "this monitor's contacts are not set to get alerts about outages.",
    MIXED: "none of this monitor's contacts can be alerted.",
    ADDED_LATER: "this monitor's contacts were added after it began.",
  },
  was: 'No one was alerted: {reason}',
  is: 'No one is alerted about outages: {reason}',
  add: 'Add one',
  forTheNext: 'A contact that you add now is alerted about the next outage.',
  view: 'View contacts',
  row: 'Alerts no one about outages',
  count:
    '{monitors, plural, one {# monitor alerts no one about outages.} other {# monitors alert no one about outages.}}',
} as const

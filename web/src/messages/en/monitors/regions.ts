// Where a monitor is checked from.
export const regionsText = {
  label: 'Checked from',
  next: 'While that has no probe',
  and: 'And from',
  automatic: 'Automatic',
  none: 'Nowhere else',
  hint: 'The home region, or where the target was last reached.',
  chosenHint: 'A failure there counts once it has reached the target.',
  eachHint: 'Every check runs in all of them at once.',
  mode: 'Checks run in',
  first: 'The first one with a probe',
  each: 'All of them at once',
  downWhen: 'Down when it fails in',
  majority: 'Most of them',
  failing: '{count, plural, one {# region} other {# regions}}',
  downWhenHint: 'In fewer, it is degraded.',
  fromTag: 'Chosen for one of its tags. What you choose here counts for this monitor alone.',
  fromOrganization:
    'Chosen for the organization. What you choose here counts for this monitor alone.',
  notSaved: 'Regions could not be saved. {why}',
} as const

// Where a monitor is checked from.
export const regionsText = {
  label: 'Checked from',
  next: 'While that has no probe',
  automatic: 'Automatic',
  none: 'Nowhere else',
  hint: 'The home region, or where the target was last reached.',
  chosenHint: 'A failure there counts once it has reached the target.',
  fromTag: 'Chosen for one of its tags. What you choose here counts for this monitor alone.',
  fromOrganization:
    'Chosen for the organization. What you choose here counts for this monitor alone.',
  notSaved: 'Regions could not be saved. {why}',
} as const

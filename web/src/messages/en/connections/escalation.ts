// Escalation policies and their form.
export const escalationText = {
  title: 'Escalation',
  about: 'Alerts more contacts while nobody acknowledges an outage.',
  create: 'New escalation',
  target: 'For',
  steps: 'Steps',
  actions: 'Actions',
  empty: 'No escalation yet. Outages alert only the contacts of their monitor.',
  step: 'After {minutes} min: {names}',
  stepWithoutContact: 'After {minutes} min: no contact left',
  types: { MONITOR: 'Monitor', TAG: 'Tag' },
  edit: 'Edit',
  editLabel: 'Edit escalation of {name}',
  remove: 'Delete…',
  removeLabel: 'Delete escalation of {name}',
  removeTitle: 'Delete escalation of {name}?',
  removeAbout:
    'Outages alert only the contacts of their monitor. Steps that are not due yet are dropped.',
  removeAction: 'Delete escalation',
  removed: 'Escalation of {name} deleted',
} as const

export const escalationFormText = {
  newTitle: 'New escalation',
  editTitle: 'Escalation of {name}',
  about: "A monitor's own escalation replaces those of its tags.",
  kind: 'For',
  kinds: { TAG: 'All monitors with a tag', MONITOR: 'One monitor' },
  tag: 'Tag',
  monitor: 'Monitor',
  choose: 'Choose…',
  noTags: 'There are no tags yet. Add one to a monitor first.',
  noContacts: 'There are no contacts yet.',
  step: 'Step {number}',
  after: 'Minutes without an acknowledgement',
  addStep: 'Add step',
  removeStep: 'Remove step {number}',
  most: '{steps, plural, one {# step} other {# steps}} at most',
  save: 'Save escalation',
  saved: 'Escalation saved',
} as const

/** Of one step. */
export const stepSentences = {
  afterMinutes: {
    says: {
      'must be more than in the step before': 'Enter more minutes than in the step before.',
    },
    other: 'Enter a whole number from 1 to 1440.',
  },
  contactIds: { empty: 'Choose at least one contact.', long: 'Choose at most 20 contacts.' },
} as const

// Escalation policies and their form.
import { MAX_ESCALATION_STEPS } from '../../../../src/domain/alerts/escalation.ts'
import { plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'

export const escalationText = {
  title: 'Escalation',
  about: 'Alerts more contacts while nobody acknowledges an outage.',
  create: 'New escalation',
  target: 'For',
  steps: 'Steps',
  actions: 'Actions',
  empty: 'No escalation yet. Outages alert only the contacts of their monitor.',
  step: (minutes: number, names: readonly string[]) =>
    `After ${minutes} min: ${names.length === 0 ? 'no contact left' : names.join(', ')}`,
  types: { MONITOR: 'Monitor', TAG: 'Tag' },
  edit: 'Edit',
  editLabel: (name: string) => `Edit escalation of ${name}`,
  remove: 'Delete…',
  removeLabel: (name: string) => `Delete escalation of ${name}`,
  removeTitle: (name: string) => `Delete escalation of ${name}?`,
  removeAbout:
    'Outages alert only the contacts of their monitor. Steps that are not due yet are dropped.',
  removeAction: 'Delete escalation',
  removed: (name: string) => `Escalation of ${name} deleted`,
}

export const escalationFormText = {
  newTitle: 'New escalation',
  editTitle: (name: string) => `Escalation of ${name}`,
  about: "A monitor's own escalation replaces those of its tags.",
  kind: 'For',
  kinds: { TAG: 'All monitors with a tag', MONITOR: 'One monitor' },
  tag: 'Tag',
  monitor: 'Monitor',
  choose: 'Choose…',
  noTags: 'There are no tags yet. Add one to a monitor first.',
  noContacts: 'There are no contacts yet.',
  step: (number: number) => `Step ${number}`,
  after: 'Minutes without an acknowledgement',
  addStep: 'Add step',
  removeStep: (number: number) => `Remove step ${number}`,
  most: (steps: number) => `${plural(steps, 'step')} at most`,
  save: 'Save escalation',
  saved: 'Escalation saved',
}

const WHOLE = 'Enter a whole number from 1 to 1440.'

/** By the place of the step. */
export const escalationSentences: FieldSentences = Object.fromEntries(
  Array.from({ length: MAX_ESCALATION_STEPS }, (_, at) => [
    [
      `steps.${at}.afterMinutes`,
      {
        says: {
          'must be more than in the step before': 'Enter more minutes than in the step before.',
        },
        other: WHOLE,
      },
    ],
    [
      `steps.${at}.contactIds`,
      { empty: 'Choose at least one contact.', long: 'Choose at most 20 contacts.' },
    ],
  ]).flat(),
)

// The result of a check before anything is saved.
export const trialText = {
  up: "It's up.",
  /** `details` such as "200 in 20 ms". */
  upWith: "It's up: {details}",
  upDetails: '{status} in {took}',
  down: 'This would be reported as down: {cause}.',
  unknown: "We couldn't check it.",
  unknownBecause: "We couldn't check it: {cause}.",
  address: 'Address',
  from: 'Checked from',
} as const

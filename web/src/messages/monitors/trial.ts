// The result of a check before anything is saved.
export const trialText = {
  /** `details` such as "200 in 20 ms". */
  up: (details: string) => (details === '' ? "It's up." : `It's up: ${details}`),
  upDetails: (status: string | undefined, took: string | undefined) => {
    if (status === undefined) return took ?? ''
    return took === undefined ? status : `${status} in ${took}`
  },
  down: (cause: string) => `This would be reported as down: ${cause}.`,
  unknown: (cause: string) =>
    cause === '' ? "We couldn't check it." : `We couldn't check it: ${cause}.`,
  address: 'Address',
  from: 'Checked from',
}

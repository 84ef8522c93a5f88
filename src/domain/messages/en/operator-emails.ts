// Emails to the operator about the installation, and the test email of an organization.
export const operatorEmails = {
  began: 'Upvane at {host}: {message}',
  resolved: 'Upvane at {host}: resolved: {message}',
  states: { problem: 'Problem', resolved: 'Resolved' },
  since: 'since {moment}',
  facts: { what: 'What', code: 'Code', since: 'Since' },
  fixIt: 'Outages may go unnoticed until this is fixed.',
  recovered: 'The service has recovered. Missed work is caught up on or recorded as missed.',
  more: 'More: {url} or, while that cannot be reached, {file} in the directory of Upvane.',
  because: "You're receiving this because OPERATOR_EMAIL of this installation is your address.",
  open: 'Open Upvane',
} as const

export const testEmail = {
  subject: 'Test email from Upvane',
  heading: 'Email works',
  hello: 'Hello {name},',
  about:
    'This is a test. Alerts, invitations, password resets and status page updates are sent the same way.',
  because: "You're receiving this because you sent a test from the settings of {organization}.",
  open: 'Open Upvane',
} as const

// The list of monitors of an organization that has none, which is loaded only then.
export const firstVisitText = {
  title: 'No monitors yet',
  about: 'Paste a URL. We check it right away and show you the result before saving.',
  readOnly: 'You have read-only access. Ask a member to add the first monitor.',
  url: 'URL',
  action: 'Add your first monitor',
  otherTypes: 'Or start with something else',
} as const

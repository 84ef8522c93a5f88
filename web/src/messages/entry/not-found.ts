// Pages and items that are not found, and people without an organization.
export const notFoundText = {
  page: {
    title: 'Page not found',
    about: 'The link may be wrong, or the page was removed.',
    action: 'Back to monitors',
  },
  item: {
    /** `what` is a noun in lower case: "monitor". */
    title: (what: string) => `${what.charAt(0).toUpperCase()}${what.slice(1)} not found`,
    about: 'It may have been deleted.',
    elsewhere: 'Or it belongs to another organization of yours.',
    action: 'Back to the list',
    switchTo: 'Switch to',
  },
  notAllowed: {
    title: "You don't have access",
    role: (organization: string, role: string) => `Your role in ${organization} is “${role}”.`,
    about: 'Ask an admin to change it.',
  },
  noOrganization: {
    title: "You're not in an organization yet",
    about: 'Open an invitation link, or create an organization.',
    name: 'Organization name',
    action: 'Create organization',
    signOut: 'Sign out',
    problems: {
      name: { empty: 'Enter a name for your organization.', long: 'Use at most 120 characters.' },
    },
  },
}

// Items that are not found, and people without an organization.
export const noAccessText = {
  item: {
    titles: {
      incident: 'Incident not found',
      monitor: 'Monitor not found',
      publishedIncident: 'Published incident not found',
      statusPage: 'Status page not found',
    },
    about: 'It may have been deleted.',
    elsewhere: 'Or it belongs to another organization of yours.',
    action: 'Back to the list',
    switchTo: 'Switch to',
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
} as const

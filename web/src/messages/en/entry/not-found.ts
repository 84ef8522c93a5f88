// Pages that are not found or not allowed. Separate from the rest, because they are part of the first load.
export const notFoundText = {
  page: {
    title: 'Page not found',
    about: 'The link may be wrong, or the page was removed.',
    action: 'Back to monitors',
  },
  notAllowed: {
    title: "You don't have access",
    role: 'Your role in {organization} is “{role}”.',
    about: 'Ask an admin to change it.',
  },
} as const

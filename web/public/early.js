// Runs before everything else. Not a module: those wait for the page.

let organization
try {
  // Before the first paint, so that a chosen theme never flashes.
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  organization = sessionStorage.getItem('organization') ?? localStorage.getItem('organization')
} catch {
  // A browser without storage follows the system, and asks for rows when it knows whose.
}

const ask = (href) => {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href })
  document.head.append(link)
}

// The address that `src/screens/monitors/list-input.ts` makes: asked for under another one, it would be asked twice.
const listOf = (id, search) => {
  const given = new URLSearchParams(location.pathname === '/' ? '' : search)
  const { page = 1, sort = 'state', reversed, ...rest } = Object.fromEntries(given)
  const { q, state, type } = rest
  const query = { q, state, type, sort: sort === 'state' ? '' : sort, reversed: reversed && true }
  const wanted = Object.entries({ ...query, limit: 25, offset: (page - 1) * 25 })
  const text = new URLSearchParams(
    wanted.filter(([, value]) => value !== undefined && value !== ''),
  )
  return `/app/api/organizations/${encodeURIComponent(id)}/overview/monitors?${text}`
}

// Who looks, and the rows where most begin, are asked for while the scripts are fetched and run. At the gates there is
// nobody yet.
if (!/^\/(sign-in|setup|reset-password|invitation)$/.test(location.pathname)) {
  ask('/app/api/me')
  if (organization && /^\/(monitors)?$/.test(location.pathname))
    ask(listOf(organization, location.search))
}

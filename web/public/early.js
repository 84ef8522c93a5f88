// Runs before everything else. Not a module, because modules wait until the page is parsed. The paths come from
// attributes of its script element, which the build fills in.

const { signedOutPaths, listPaths } = document.currentScript.dataset

let organization
try {
  // Before the first paint, so that the other theme never flashes.
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  organization = sessionStorage.getItem('organization') ?? localStorage.getItem('organization')
} catch {
  // Without storage, the theme follows the system, and the list is requested once the organization is known.
}

const preload = (href) => {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href })
  document.head.append(link)
}

// Must equal the URL built by `src/screens/monitors/list-input.ts`; otherwise the list is requested twice.
const listUrl = (id, search) => {
  const given = new URLSearchParams(location.pathname === '/' ? '' : search)
  const { page = 1, rows = 25, sort = 'state', reversed, ...rest } = Object.fromEntries(given)
  const { q, state, type, tag } = rest
  const query = {
    q,
    state,
    type,
    tag,
    sort: sort === 'state' ? '' : sort,
    reversed: reversed && true,
  }
  const wanted = Object.entries({ ...query, limit: rows, offset: (page - 1) * rows })
  const text = new URLSearchParams(
    wanted.filter(([, value]) => value !== undefined && value !== ''),
  )
  return `/app/api/organizations/${encodeURIComponent(id)}/overview/monitors?${text}`
}

// Request the session and the most common first list while the scripts load. Without a session there is nothing to load.
if (!signedOutPaths.split(' ').includes(location.pathname)) {
  preload('/app/api/me')
  if (organization && listPaths.split(' ').includes(location.pathname))
    preload(listUrl(organization, location.search))
}

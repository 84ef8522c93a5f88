// Runs before everything else. Not a module: those wait for the page.

// Before the first paint, so that a chosen theme never flashes.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser without storage follows the system.
}

// Who looks is asked while the scripts are fetched and run. At the gates there is nobody yet.
if (!/^\/(sign-in|setup|reset-password|invitation)$/.test(location.pathname)) {
  const me = document.createElement('link')
  Object.assign(me, { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: '/app/api/me' })
  document.head.append(me)
}

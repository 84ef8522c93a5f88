// Shows alerts as notifications. It stores nothing and answers no request: what the dashboard shows is always current.

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

const read = (data) => {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

self.addEventListener('push', (event) => {
  // Browsers require a notification for every message, even for one that cannot be read.
  const { title = 'Upvane', body = '', url = '/', tag = 'upvane', at } = read(event.data)
  const timestamp = Date.parse(at) || Date.now()
  const looks = { icon: '/icon-192.png', badge: '/icon-192.png' }
  // A recovery replaces the notification of its outage, and is noticed again.
  const options = { ...looks, body, tag, renotify: true, timestamp, data: { url } }
  event.waitUntil(self.registration.showNotification(title, options))
})

const open = async (address) => {
  const target = new URL(address, self.location.origin)
  // Only pages of the dashboard.
  const url = target.origin === self.location.origin ? target.href : self.location.origin
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find((one) => one.url === url)
  if (shown) return shown.focus()
  return self.clients.openWindow(url)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url ?? '/'))
})

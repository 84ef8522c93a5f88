// This browser's side of notifications: the permission, the service worker and the subscription.

/** BLOCKED: the person refused; only the browser's settings can change that. */
export type PushSupport = 'READY' | 'BLOCKED' | 'INSECURE' | 'MISSING'

type RegisteredSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

const WORKER = '/service-worker.js'
// A browser has one subscription for all people who use it.
const PERSON = 'push-person'

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'INSECURE'
  const isThere = 'serviceWorker' in navigator && 'PushManager' in window
  if (!isThere || !('Notification' in window)) return 'MISSING'
  return Notification.permission === 'denied' ? 'BLOCKED' : 'READY'
}

/** The subscription of this browser as the server lists it: SHA-256 of its endpoint. Null if there is none. */
export async function ownFingerprint(): Promise<string | null> {
  if (pushSupport() !== 'READY') return null
  const registration = await navigator.serviceWorker.getRegistration('/')
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return null
  const hash = await crypto.subtle.digest(
    'SHA-256',
    new TextEncoder().encode(subscription.endpoint),
  )
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Asks for permission. Undefined if the person does not give it. */
export async function subscribe(
  publicKey: string,
  personId: string,
): Promise<RegisteredSubscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  await navigator.serviceWorker.register(WORKER, { scope: '/', updateViaCache: 'none' })
  const { pushManager } = await navigator.serviceWorker.ready
  const old = await pushManager.getSubscription()
  // With a new one, the previous person's alerts no longer arrive here.
  if (old && localStorage.getItem(PERSON) !== personId) await old.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = await pushManager.subscribe(options)
  localStorage.setItem(PERSON, personId)
  return toRegistered(subscription.toJSON())
}

function toRegistered({ endpoint = '', keys }: PushSubscriptionJSON): RegisteredSubscription {
  return { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
}

/** Nothing arrives here anymore, of any organization. */
export async function unsubscribe(): Promise<void> {
  if (pushSupport() === 'MISSING' || pushSupport() === 'INSECURE') return
  const registration = await navigator.serviceWorker.getRegistration('/')
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

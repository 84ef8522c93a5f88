// Addresses of Apprise (https://github.com/caronc/apprise), as people have them in other tools. Pasted into the form
// they become the settings of a channel; they are not stored.
import type { ContactChannel } from './channels.ts'
import type { ContactSettings } from './contact.ts'

export type AppriseContact = { channel: ContactChannel; settings: ContactSettings }

type Parts = {
  /** Before the @. */
  user: string
  /** With its port. */
  host: string
  path: readonly string[]
  query: URLSearchParams
}

type Reader = (parts: Parts) => AppriseContact | undefined

const MAX_LENGTH = 2048
const SCHEME = /^([a-z]{3,12}):\/\//i

/** Undefined if it is none, or of a service without a channel. */
export function readAppriseUrl(text: string): AppriseContact | undefined {
  const trimmed = text.trim()
  const scheme = SCHEME.exec(trimmed)?.[1]?.toLowerCase() ?? ''
  if (trimmed.length > MAX_LENGTH || !Object.hasOwn(READERS, scheme)) return undefined
  const parts = partsOf(trimmed.slice(scheme.length + '://'.length))
  const contact = parts && READERS[scheme]?.(parts)
  const isWhole = contact && Object.values(contact.settings).every((value) => value !== '')
  return isWhole ? contact : undefined
}

/** Not by URL, which changes the case of a host: for some services it is a token. */
function partsOf(rest: string): Parts | undefined {
  const [address = '', search = ''] = splitOnce(rest, '?')
  const at = address.lastIndexOf('@')
  const user = at < 0 ? '' : address.slice(0, at)
  const [host = '', ...path] = address.slice(at + 1).split('/')
  try {
    return {
      user: decodeURIComponent(user),
      host: decodeURIComponent(host),
      path: path.filter((part) => part !== '').map((part) => decodeURIComponent(part)),
      query: new URLSearchParams(search),
    }
  } catch {
    return undefined
  }
}

function splitOnce(text: string, sign: string): string[] {
  const at = text.indexOf(sign)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Always encrypted, whatever the scheme was: Upvane sends nothing in the clear. */
const serverOf = (host: string, path: readonly string[] = []): string =>
  host === '' ? '' : ['https:/', host, ...path].join('/')

const hook =
  (channel: ContactChannel, toUrl: (parts: Parts) => string): Reader =>
  (parts) => ({ channel, settings: { url: toUrl(parts) } })

const slack = hook('SLACK', ({ host, path: [b = '', c = ''] }) =>
  host && b && c ? `https://hooks.slack.com/services/${host}/${b}/${c}` : '',
)
const discord = hook('DISCORD', ({ host, path: [token = ''] }) =>
  host && token ? `https://discord.com/api/webhooks/${host}/${token}` : '',
)
const googleChat = hook('GOOGLE_CHAT', ({ host, path: [key = '', token = ''] }) => {
  const query = new URLSearchParams({ key, token })
  return key && token ? `https://chat.googleapis.com/v1/spaces/${host}/messages?${query}` : ''
})
const mattermost = hook('MATTERMOST', ({ host, path }) => {
  const [token = '', ...before] = path.toReversed()
  return token && serverOf(host, [...before.toReversed(), 'hooks', token])
})
const rocketChat = hook('ROCKET_CHAT', ({ user, host }) => user && serverOf(host, ['hooks', user]))
const json = hook('CUSTOM_WEBHOOK', ({ host, path }) => serverOf(host, path))

const telegram: Reader = ({ host, path: [chatId = ''] }) => ({
  channel: 'TELEGRAM',
  settings: { botToken: host, chatId },
})

/** Without a path, the host is a topic of the public server. */
const ntfy: Reader = ({ user, host, path: [topic] }) => ({
  channel: 'NTFY',
  settings: {
    server: topic === undefined ? 'https://ntfy.sh' : serverOf(host),
    topic: topic ?? host,
    ...(user.startsWith('tk_') && { token: user }),
  },
})

const gotify: Reader = ({ host, path }) => {
  const [appToken = '', ...before] = path.toReversed()
  return {
    channel: 'GOTIFY',
    settings: { server: serverOf(host, before.toReversed()), appToken },
  }
}

const matrix: Reader = ({ user, host, path: [roomId = ''] }) => {
  // Only by token: a password would have to be exchanged for one.
  if (user.includes(':') || !roomId.startsWith('!')) return undefined
  return { channel: 'MATRIX', settings: { server: serverOf(host), roomId, accessToken: user } }
}

const signal: Reader = ({ host, path: [from = '', to = from] }) => ({
  channel: 'SIGNAL',
  settings: { server: serverOf(host), number: toPhone(from), recipient: toPhone(to) },
})

const twilio: Reader = ({ user, host, path: [to = host] }) => {
  const [accountSid = '', authToken = ''] = splitOnce(user, ':')
  const numbers = { from: toPhone(host), to: toPhone(to) }
  return { channel: 'TWILIO', settings: { accountSid, authToken, means: 'SMS', ...numbers } }
}

const toPhone = (text: string): string => (/^[0-9]{7,15}$/.test(text) ? `+${text}` : text)

const READERS: Readonly<Record<string, Reader>> = {
  slack,
  discord,
  gchat: googleChat,
  mmost: mattermost,
  mmosts: mattermost,
  rocket: rocketChat,
  rockets: rocketChat,
  tgram: telegram,
  ntfy,
  ntfys: ntfy,
  gotify,
  gotifys: gotify,
  matrix,
  matrixs: matrix,
  signal,
  signals: signal,
  twilio,
  json,
  jsons: json,
  pover: ({ user, host }) => ({
    channel: 'PUSHOVER',
    settings: { appToken: host, userKey: user },
  }),
  pagerduty: ({ user }) => ({ channel: 'PAGERDUTY', settings: { routingKey: user } }),
  opsgenie: ({ host, query }) => ({
    channel: 'OPSGENIE',
    settings: { apiKey: host, region: query.get('region')?.toLowerCase() === 'eu' ? 'EU' : 'US' },
  }),
  apprise: ({ host, path: [key = ''] }) => ({
    channel: 'APPRISE',
    settings: { server: serverOf(host), key },
  }),
  apprises: ({ host, path: [key = ''] }) => ({
    channel: 'APPRISE',
    settings: { server: serverOf(host), key },
  }),
}

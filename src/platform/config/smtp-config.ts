// The SMTP relay, as configured in the environment.

/**
 * TLS: from the first byte. STARTTLS: required before any other command. OPPORTUNISTIC: if the relay offers it, with
 * any certificate, because an attacker who can forge one can also hide the offer. NONE: never.
 */
export type SmtpSecurity = 'TLS' | 'STARTTLS' | 'OPPORTUNISTIC' | 'NONE'

export type SmtpRelay = {
  host: string
  port: number
  security: SmtpSecurity
  credentials: { user: string; password: string } | undefined
}
export type SmtpConfig = { relay: SmtpRelay; from: string }

const TLS_PORT = 465
const SUBMISSION_PORT = 587
const PLAIN_PORT = 25
const BY_WORD: Readonly<Record<string, SmtpSecurity>> = {
  required: 'STARTTLS',
  opportunistic: 'OPPORTUNISTIC',
  off: 'NONE',
}
const ADDRESS = /^[A-Za-z0-9.!#$&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,189}$/

/** Returns the problem as text if the URL is invalid. */
export function parseSmtpUrl(text: string): SmtpRelay | string {
  const url = URL.parse(text)
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    return 'must be a URL that starts with smtp:// or smtps://'
  const credentials = credentialsOf(url)
  if (typeof credentials === 'string') return credentials
  const security = securityOf(url, credentials)
  if (security === undefined || url.pathname.length > 1)
    return 'may end in ?tls=required, ?tls=opportunistic or ?tls=off after smtp://, and in nothing else'
  if (credentials !== undefined && security === 'OPPORTUNISTIC')
    return 'must not have tls=opportunistic with a password, which somebody in between could then read'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: portOf(url, security), security, credentials }
}

// A password is never sent unencrypted unless the URL asks for it explicitly.
function securityOf(
  { protocol, search }: URL,
  credentials: SmtpRelay['credentials'],
): SmtpSecurity | undefined {
  if (search !== '')
    return protocol === 'smtp:' ? BY_WORD[search.replace(/^\?tls=/, '')] : undefined
  if (protocol === 'smtps:') return 'TLS'
  return credentials === undefined ? 'OPPORTUNISTIC' : 'STARTTLS'
}

function credentialsOf({ username, password }: URL): SmtpRelay['credentials'] | string {
  if (username === '' && password === '') return undefined
  if (username === '' || password === '') return 'must have a user and a password, or neither'
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return 'has a user or a password with a % that should be written %25'
  }
}

function portOf({ port }: URL, security: SmtpSecurity): number {
  if (port !== '') return Number(port)
  if (security === 'TLS') return TLS_PORT
  return security === 'STARTTLS' ? SUBMISSION_PORT : PLAIN_PORT
}

export const isSender = (text: string): boolean => ADDRESS.test(text)

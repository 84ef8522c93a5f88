// The dashboard's cookies. Over https their names start with `__Host-`, which browsers accept only from this exact
// host, for all its paths, and never over plain http.
import type { HostCookie } from '../../http/contexts.ts'

export function hostCookie(baseUrl: string, bareName: string, form: RegExp): HostCookie {
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? `__Host-${bareName}` : bareName
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read({ cookie = '' }) {
      const pair = cookie.split(/; */).find((part) => part.startsWith(`${name}=`))
      const value = pair?.slice(name.length + 1) ?? ''
      return form.test(value) ? value : undefined
    },
    set: (value, expiresAt) =>
      `${name}=${value}; ${attributes}; Expires=${expiresAt.toUTCString()}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  }
}

export const sessionCookie = (baseUrl: string): HostCookie =>
  hostCookie(baseUrl, 'upvane', /^[A-Za-z0-9_-]{43}$/)

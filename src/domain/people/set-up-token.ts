// The link that creates the first account ends after an hour: a log is kept longer, and read by more people. Its token has
// the time when it was made. Only the hash of the whole token is stored, so nobody can change that time.

const LINK_MINUTES = 60
const TOKEN = /^[\w-]{43}\.([0-9a-z]{1,8})$/

export const toSetUpToken = (random: string, now: Date): string =>
  `${random}.${Math.floor(now.getTime() / 1000).toString(36)}`

/** False for what is no such token. */
export function isRecentSetUpToken(token: string, now: Date): boolean {
  const [, seconds] = TOKEN.exec(token) ?? []
  if (seconds === undefined) return false
  const ageSeconds = now.getTime() / 1000 - Number.parseInt(seconds, 36)
  return ageSeconds < LINK_MINUTES * 60
}

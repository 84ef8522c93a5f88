// How long a person stays signed in.

export const SESSION_IDLE_SECONDS = 12 * 3600
const SESSION_DAYS = 30
/** Per person. Beyond that, the least recently used session ends. */
export const MAX_SESSIONS = 100
/** Time between the password and the second factor. */
const HALF_SESSION_SECONDS = 10 * 60

/** How long a sign-in counts as proof for people who have no password to type again. */
const RECENT_SECONDS = 10 * 60

/** How long a browser is remembered after someone signed in with it. */
export const DEVICE_DAYS = 180

/** A browser that was signed in to this account before. It grants no access, but has its own limit of attempts. */
export type KnownDevice = { userUuid: string; id: string }

export type Session = {
  uuid: string
  user: { uuid: string; email: string; name: string }
  /** False until the second factor is given. */
  complete: boolean
  createdAt: Date
  expiresAt: Date
}

export function sessionEnd(now: Date, complete: boolean): Date {
  const seconds = complete ? SESSION_DAYS * 86_400 : HALF_SESSION_SECONDS
  return new Date(now.getTime() + seconds * 1000)
}

export function isRecent({ createdAt }: Pick<Session, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() <= RECENT_SECONDS * 1000
}

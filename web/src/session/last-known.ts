// What a screen read last, which stays while the server does not respond.
export type Known<T> = { data: T | undefined; about: string }

type Read<T> = { data: T | undefined; isPlaceholderData: boolean }

/** The same object if nothing new was read. A placeholder may be about something else: it is what was shown before. */
export function lastKnown<T>(last: Known<T>, read: Read<T>, about: string): Known<T> {
  const { data, isPlaceholderData } = read
  if (data === undefined || isPlaceholderData) return last
  return data === last.data && about === last.about ? last : { data, about }
}

/** For another filter or page of the same thing, but never for another thing. */
export const shownOffline = <T>(last: Known<T>, about: string): T | undefined =>
  last.about === about ? last.data : undefined

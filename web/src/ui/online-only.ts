import { useConnection } from '../api/connection.ts'

/**
 * For what contains filters or actions: `<div {...useOnlineOnly()}>`. They do nothing while the server does not respond; the
 * notice of the shell says so.
 */
export function useOnlineOnly(): { inert?: true } {
  return useConnection().offlineSince === undefined ? {} : { inert: true }
}

// How a probe on another machine joins through the web server in front of this installation.

/** Where the shipped configurations of web servers pass WebSockets on to NATS. */
const DEFAULT_PATH = '/probe'

/** Undefined if it is not an https address. */
export function webSocketUrlOf(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'https:' || url.username !== '') return undefined
  return `wss://${url.host}${url.pathname === '/' ? DEFAULT_PATH : url.pathname}`
}

/** As an assignment before the command: the arguments of a program show in the list of processes. */
export const joinLine = (token: string): string => `PROBE_TOKEN=${token} upvane probe join`

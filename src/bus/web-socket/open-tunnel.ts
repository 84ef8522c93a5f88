// A connection to a web server, through a proxy if one is set, with TLS if the URL asks for it.
import { readFileSync } from 'node:fs'
import { type ClientRequest, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, connect as openTcp, type Socket } from 'node:net'
import { connect as openTls } from 'node:tls'

export type Authority = { caFile?: string; ca?: string }
type Destination = { url: URL; proxy: URL | undefined; authority: Authority }

const OK = 200
const PROXY_SIGN_IN = 407

/** Rejects with an error that says where it failed. The caller owns and destroys the socket. */
export async function openTunnel(
  { url, proxy, authority }: Destination,
  timeoutMs: number,
): Promise<Socket> {
  const isSecure = url.protocol === 'wss:'
  const host = addressOf(url)
  const port = Number(url.port || (isSecure ? '443' : '80'))
  const socket =
    proxy === undefined
      ? await connected(openTcp({ host, port, noDelay: true }), 'connect', timeoutMs)
      : await tunnelled(proxy, `${url.hostname}:${port}`, timeoutMs)
  if (!isSecure) return socket
  const servername = isIP(host) === 0 ? host : ''
  const tls = openTls({ socket, host, servername, ALPNProtocols: ['http/1.1'], ...caOf(authority) })
  return connected(tls, 'secureConnect', timeoutMs)
}

/** An IPv6 address has brackets in a URL. */
function addressOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function caOf({ caFile, ca }: Authority): { ca?: string } {
  if (caFile !== undefined) return { ca: readFileSync(caFile, 'utf8') }
  return ca === undefined || ca === '' ? {} : { ca }
}

function connected(socket: Socket, event: string, timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  // Stays for the lifetime of the socket: an unhandled error must not crash the process.
  socket.on('error', reject)
  const timer = setTimeout(() => socket.destroy(new Error('timeout')), timeoutMs)
  socket.once('close', () => reject(new Error('The connection was closed.')))
  socket.once(event, () => resolve(socket))
  return promise.finally(() => clearTimeout(timer))
}

function tunnelled(proxy: URL, authority: string, timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const request = askProxy(proxy, authority)
  const timer = setTimeout(() => request.destroy(new Error('timeout')), timeoutMs)
  request.on('error', ({ message }) =>
    reject(new Error(`The proxy ${proxy.host} cannot be used: ${message}`)),
  )
  request.once('connect', (response, socket: Socket) => {
    const { statusCode } = response
    if (statusCode === OK) {
      socket.on('error', () => {})
      resolve(socket)
      return
    }
    socket.destroy()
    reject(new Error(refusalOf(proxy, authority, statusCode)))
  })
  request.end()
  return promise.finally(() => clearTimeout(timer))
}

function askProxy(proxy: URL, authority: string): ClientRequest {
  const isSecure = proxy.protocol === 'https:'
  const send = isSecure ? requestSecure : requestPlain
  return send({
    host: addressOf(proxy),
    port: Number(proxy.port || (isSecure ? '443' : '80')),
    method: 'CONNECT',
    path: authority,
    agent: false,
    headers: { Host: authority, ...signInOf(proxy) },
  })
}

function signInOf({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}

function refusalOf(proxy: URL, authority: string, status: number | undefined): string {
  const what = `The proxy ${proxy.host} does not connect to ${authority}: HTTP ${status}.`
  if (status !== PROXY_SIGN_IN) return what
  return `${what} Put its user and password into NATS_PROXY.`
}

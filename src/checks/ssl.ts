import type { Check, SslTarget } from './check.ts'
import { parseHostPort } from './host-port.ts'

const HTTPS_PORT = 443

/** SSL passes if the handshake succeeds and the certificate is in date and, if required, trusted. */
export const checkSsl: Check<SslTarget> = async ({ url, verifySsl }, { connect, trace }) => {
  const { host, port = HTTPS_PORT } = parseHostPort(url)
  const socket = await connect({ host, port, tls: { trust: verifySsl ? 'FULL' : 'DATES' } })
  socket.destroy()
  return { outcome: 'OK', responseMs: trace.timings.tlsMs ?? 0 }
}

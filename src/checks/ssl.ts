import type { Check } from './check.ts'
import { parseHostPort } from './host-port.ts'

export type SslTarget = { type: 'SSL'; url: string; verifySsl: boolean; timeoutSeconds: number }

const HTTPS_PORT = 443

/** SSL passes if the handshake succeeds and the certificate is in date and, if required, trusted. */
export const sslCheck: Check<SslTarget> = {
  needsNoResponse: true,

  toTarget: ({ url, verifySsl, timeoutSeconds }) => ({
    type: 'SSL',
    url: url ?? '',
    verifySsl,
    timeoutSeconds,
  }),

  async run({ url, verifySsl }, { connect, trace }) {
    const { host, port = HTTPS_PORT } = parseHostPort(url)
    const trust = verifySsl ? 'FULL' : 'DATES'
    const connection = await connect({ host, port, tls: { trust, withIssuer: true } })
    connection.close()
    return { outcome: 'OK', responseMs: trace.timings.tlsMs ?? 0 }
  },
}

import type { Check } from './check.ts'

type PortTarget = { type: 'PORT'; host: string; port: number; timeoutSeconds: number }

/** PORT passes if a TCP connection opens before the deadline. Nothing is sent. */
export const portCheck: Check<PortTarget> = {
  needsNoResponse: true,

  toTarget: ({ host, port, timeoutSeconds }) => ({
    type: 'PORT',
    host: host ?? '',
    port: port ?? 0,
    timeoutSeconds,
  }),

  async run({ host, port }, { connect, trace }) {
    const connection = await connect({ host, port, mailPorts: true })
    connection.close()
    return { outcome: 'OK', responseMs: trace.timings.connectMs ?? 0 }
  },
}

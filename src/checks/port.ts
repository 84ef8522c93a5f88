import type { Check } from './check.ts'

type PortTarget = { type: 'PORT'; host: string; port: number; timeoutSeconds: number }

/** PORT passes if a TCP connection opens before the deadline. Nothing is sent. */
export const portCheck: Check<PortTarget> = {
  toTarget: ({ host, port, timeoutSeconds }) => ({
    type: 'PORT',
    host: host ?? '',
    port: port ?? 0,
    timeoutSeconds,
  }),

  async run({ host, port }, { connect, trace }) {
    const socket = await connect({ host, port, mailPorts: true })
    socket.destroy()
    return { outcome: 'OK', responseMs: trace.timings.connectMs ?? 0 }
  },
}

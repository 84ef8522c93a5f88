import type { Check, PortTarget } from './check.ts'

/** PORT passes if a TCP connection opens before the deadline. Nothing is sent. */
export const checkPort: Check<PortTarget> = async ({ host, port }, { connect, trace }) => {
  const socket = await connect({ host, port, mailPorts: true })
  socket.destroy()
  return { outcome: 'OK', responseMs: trace.timings.connectMs ?? 0 }
}

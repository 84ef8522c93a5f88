import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { OutboundError } from './outbound-error.ts'

/** A connected socket, or the error as the system words it. The caller owns the socket and destroys it. */
export function openSocket(options: TcpNetConnectOpts, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new OutboundError('TIMEOUT'))
    const socket = connect(options)
    // Stays for the socket's life: an error that nobody awaits must not end the process.
    socket.on('error', ignore)
    const giveUp = () => fail(new OutboundError('TIMEOUT'))
    const fail = (error: Error) => {
      release()
      socket.destroy()
      reject(error)
    }
    const release = () => {
      signal.removeEventListener('abort', giveUp)
      socket.off('error', fail)
    }
    socket.once('error', fail)
    socket.once('connect', () => {
      release()
      resolve(socket)
    })
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

function ignore(): void {}

import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { OutboundError } from './outbound-error.ts'

/** Resolves with a connected socket or rejects with the system's error. The caller owns and destroys the socket. */
export function openSocket(options: TcpNetConnectOpts, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new OutboundError('TIMEOUT'))
    const socket = connect(options)
    // Stays for the socket's lifetime: an unhandled error must not crash the process.
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

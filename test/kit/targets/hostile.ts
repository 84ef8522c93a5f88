// Targets that misbehave on purpose. Each accepts a connection and misbehaves in one way.
import { createServer, type Socket } from 'node:net'
import { Readable, type Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { type Listening, listen } from './listen.ts'

export type Hostility = (socket: Socket) => void

export function startHostile(behave: Hostility): Promise<Listening> {
  // Half-open connections stay open, so that "never answers" really means never.
  return listen(createServer({ allowHalfOpen: true }, behave))
}

const OK = 'HTTP/1.1 200 OK\r\n'
const PIECE_BYTES = 1024 * 1024
const BOMB_BYTES = 256 * PIECE_BYTES

export const mute: Hostility = (socket) => {
  socket.resume()
  socket.once('end', () => socket.destroy())
}

/** Accepts, and never reads: the receive window closes. */
export const zeroWindow: Hostility = (socket) => socket.pause()

export const dripHeaders: Hostility = (socket) => {
  socket.resume()
  socket.write(OK)
  dripInto(socket, 'X-Drip: 1\r\n')
}

export const drip =
  (text: string, everyMs?: number): Hostility =>
  (socket) => {
    socket.resume()
    dripInto(socket, text, everyMs)
  }

/** Says something, and then nothing. */
export const greets =
  (text: string): Hostility =>
  (socket) => {
    socket.resume()
    socket.write(text)
  }

/** Says something and closes. */
export const says =
  (text: string): Hostility =>
  (socket) => {
    socket.resume()
    socket.end(text)
  }

export const dripBody: Hostility = (socket) => {
  socket.resume()
  socket.write(`${OK}Content-Length: 1000000\r\n\r\n`)
  dripInto(socket, 'x')
}

export const floodOf1xx: Hostility = (socket) => {
  socket.resume()
  dripInto(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5), 1)
}

/** Ends its side immediately without a response. */
export const halfClose: Hostility = (socket) => {
  socket.resume()
  socket.end()
}

export const resetMidBody: Hostility = (socket) => {
  socket.once('data', () => {
    socket.write(`${OK}Content-Length: 1000\r\n\r\nsome of it`)
    setTimeout(() => socket.resetAndDestroy(), 20)
  })
}

export const resetAtOnce: Hostility = (socket) => {
  socket.once('data', () => socket.resetAndDestroy())
}

export const endlessChunks: Hostility = (socket) => {
  socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
  pump(socket, `1000\r\n${'x'.repeat(4096)}\r\n`)
}

export const headerBomb: Hostility = (socket) => {
  socket.write(OK)
  pump(socket, `X-Bomb: ${'b'.repeat(1000)}\r\n`)
}

/** Bytes of no protocol, without end. */
export const endless: Hostility = (socket) => pump(socket, 'x'.repeat(4096))

export const garbage = says('\x16\x03\x01 this is neither HTTP nor TLS\r\n\r\n')

/** 256 MiB of zeros, compressed piece by piece, because the tests that use it measure memory. */
export async function packBomb(encoding: 'gzip' | 'br' | 'zstd'): Promise<Buffer> {
  const nothing = Buffer.alloc(PIECE_BYTES)
  const pieces = Array.from({ length: BOMB_BYTES / PIECE_BYTES }, () => nothing)
  return buffer(Readable.from(pieces).pipe(packerOf(encoding)))
}

function packerOf(encoding: 'gzip' | 'br' | 'zstd'): Transform {
  if (encoding === 'gzip') return createGzip({ level: 1 })
  if (encoding === 'zstd') return createZstdCompress()
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

export function bomb(encoding: string, packed: Buffer): Hostility {
  return (socket) => {
    socket.resume()
    socket.write(`${OK}Content-Encoding: ${encoding}\r\nContent-Length: ${packed.length}\r\n\r\n`)
    socket.write(packed)
  }
}

function pump(socket: Socket, text: string): void {
  socket.resume()
  const fill = () => {
    while (socket.writable && socket.write(text));
  }
  socket.on('drain', fill)
  fill()
}

function dripInto(socket: Socket, text: string, everyMs = 50): void {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.once('close', () => clearInterval(timer))
}

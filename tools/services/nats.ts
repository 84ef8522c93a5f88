// A private NATS server for tests and for trying the product. It stops when its parent exits.
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { getNatsServer } from './executables.ts'
import { isRunning } from './processes.ts'
import { killServer, stopServer } from './server-signals.ts'
import { type Started, startAgain, startOnFreePort } from './server-start.ts'
import { openTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts'

const LOOPBACK = '127.0.0.1'
const INFO_TIMEOUT_MS = 1000
const DEFAULT_CONFIG = 'max_payload: 4MB\n'

export type NatsOptions = {
  /** The text of the configuration file, instead of the default. Host and port are set separately. */
  config?: string
  /** A configuration file used in place, instead of `config`. */
  configFile?: string
  /** The environment of the server, which a configuration can refer to. */
  env?: Record<string, string>
  /** The address to listen on: loopback, unless the caller has a network of its own. */
  host?: string
}

export type Nats = {
  url: string
  port: number
  /** Changes after a restart. */
  readonly pid: number
  /** Holds nats.conf and server.log. */
  directory: string
  /** Sends SIGKILL; returns when the process is gone. */
  kill(): Promise<void>
  /** Starts again on the same port; stops first if it is still running. */
  restart(): Promise<void>
  /** Stops it and removes the directory. */
  stop(): Promise<void>
}

export async function startNats(options: NatsOptions = {}): Promise<Nats> {
  const command = getNatsServer()
  const { host = LOOPBACK } = options
  const home = openTemporaryDirectory('upvane-nats-', 'nats.pid')
  try {
    const config = options.configFile ?? join(home.path, 'nats.conf')
    if (options.configFile === undefined) writeFileSync(config, options.config ?? DEFAULT_CONFIG)
    const name = basename(home.path)
    const pidFile = join(home.path, 'nats.pid')
    const started = await startOnFreePort((port) => ({
      command,
      args: ['-c', config, '-a', host, '-p', String(port), '-n', name, '-P', pidFile],
      directory: home.path,
      ...(options.env && { env: options.env }),
      isReady: () => respondsAs(name, { host, port }),
    }))
    return toNats(started, home, host)
  } catch (error) {
    await home.close()
    throw error
  }
}

function toNats({ program, port, pid }: Started, home: TemporaryDirectory, host: string): Nats {
  let current = pid
  return {
    url: `nats://${host}:${port}`,
    port,
    directory: home.path,
    get pid() {
      return current
    },
    kill: () => killServer(current),
    async restart() {
      if (isRunning(current)) await stopServer(current)
      current = await startAgain(program)
    },
    stop: () => home.close(),
  }
}

// The server greets with one INFO line. It must contain our name, because another server may have the port.
function respondsAs(name: string, address: { host: string; port: number }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(address)
  let greeting = ''
  socket.setTimeout(INFO_TIMEOUT_MS, () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    greeting += chunk.toString()
    if (greeting.includes('\n')) socket.destroy()
  })
  // Refused means not ready yet; 'close' follows and resolves the promise.
  socket.on('error', () => {})
  socket.on('close', () => resolve(greeting.includes(`"server_name":"${name}"`)))
  return promise
}

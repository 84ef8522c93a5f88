// The receivers of docs/samples/webhooks, started as their comments say, each wrapped as one function that returns
// whether it accepts a delivery.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../../tools/services/ports.ts'

/** The parts of a delivery that a receiver uses. */
export type Delivered = { headers: Record<string, string>; body: string }

export type Started = {
  /** Where deliveries can be sent; undefined for a verifier that is not a server. */
  url: string | undefined
  accepts(delivery: Delivered): Promise<boolean>
  stop(): Promise<void>
}

export type Sample = {
  name: string
  runtime: string
  /** Rejects if it does not start. */
  start(secret: string): Promise<Started>
}

const SAMPLES_DIRECTORY = join(import.meta.dirname, '../../../docs/samples/webhooks')
const READY_MS = 20_000
const POLL_MS = 50

const file = (name: string) => join(SAMPLES_DIRECTORY, name)
const node = process.execPath

export const SAMPLES: Sample[] = [
  server('receiver-sdk.ts', 'node', () => [node, file('receiver-sdk.ts')]),
  server('receiver-plain.ts', 'node', () => [node, file('receiver-plain.ts')]),
  server('receiver.py', 'python3', () => ['python3', file('receiver.py')]),
  server('receiver.php', 'php', (port) => ['php', '-S', `127.0.0.1:${port}`, file('receiver.php')]),
  server('receiver.rb', 'ruby', () => ['ruby', file('receiver.rb')]),
  server('receiver.go', 'go', () => [buildGo()]),
  { name: 'verify.sh', runtime: 'openssl', start: startShell },
]

export function isInstalled(command: string): boolean {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return directories.some((directory) => {
    try {
      accessSync(join(directory, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function server(name: string, runtime: string, command: (port: number) => string[]): Sample {
  return {
    name,
    runtime,
    async start(secret) {
      const port = await findFreePort()
      const [program = '', ...args] = command(port)
      const child = spawn(program, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...environment(secret), PORT: String(port) },
      })
      const output: string[] = []
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
      await untilListening(child, port, output)
      const url = `http://127.0.0.1:${port}/`
      return {
        url,
        accepts: (delivery) => isAccepted(url, delivery),
        async stop() {
          child.kill('SIGKILL')
          await ended(child)
        },
      }
    },
  }
}

async function isAccepted(url: string, { headers, body }: Delivered): Promise<boolean> {
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  if (response.status === 204) return true
  if (response.status === 400) return false
  throw new Error(`A receiver answered ${response.status}.`)
}

async function startShell(secret: string): Promise<Started> {
  return {
    url: undefined,
    async accepts({ headers, body }) {
      const values = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
        (name) => headers[name] ?? '',
      )
      const child = spawn('sh', [file('verify.sh'), ...values], {
        stdio: ['pipe', 'ignore', 'ignore'],
        env: environment(secret),
      })
      // It may refuse before it has read the body.
      child.stdin.on('error', () => undefined)
      child.stdin.end(body)
      await ended(child)
      return child.exitCode === 0
    },
    stop: async () => undefined,
  }
}

function environment(secret: string): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, UPVANE_WEBHOOK_SECRET: secret }
}

let goProgram: string | undefined

/** Built once for all tests of the process; nothing is left behind. */
function buildGo(): string {
  if (goProgram !== undefined) return goProgram
  const directory = mkdtempSync(join(tmpdir(), 'upvane-go-'))
  process.once('exit', () => rmSync(directory, { recursive: true }))
  goProgram = join(directory, 'receiver')
  const env = { ...environment(''), GOCACHE: join(directory, 'cache'), GOPROXY: 'off' }
  execFileSync('go', ['build', '-o', goProgram, file('receiver.go')], { env, cwd: directory })
  return goProgram
}

async function untilListening(child: ChildProcess, port: number, output: string[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_MS; waitedMs += POLL_MS) {
    if (child.exitCode !== null) throw new Error(`It ended: ${output.join('')}`)
    if (await answers(port)) return
    await delay(POLL_MS)
  }
  child.kill('SIGKILL')
  throw new Error(`It did not listen: ${output.join('')}`)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

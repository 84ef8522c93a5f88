// `upv` against the running product, with a proxy between them that counts and kills.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Upvane } from '@upvane/sdk'
import { type Ended, type Running, runUpv, startUpv } from '../../../cli/test/run-upv.ts'
import { type ProductFixture, startProduct } from '../../kit/fixture.ts'
import { listen } from '../../kit/targets/listen.ts'

type Bench = {
  product: ProductFixture
  /** A file in a private directory. Returns its path. */
  write(name: string, text: string): string
  path(name: string): string
  client(key: string): Upvane
  upv(key: string, args: string[], env?: Record<string, string>): Promise<Ended>
  stop(): Promise<void>
}

export async function startBench(options: { rateLimit?: number } = {}): Promise<Bench> {
  const product = await startProduct({ command: 'api', ...options })
  const directory = mkdtempSync(join(tmpdir(), 'upvane-as-code-'))
  const { baseUrl } = product.service
  return {
    product,
    path: (name) => join(directory, name),
    write(name, text) {
      writeFileSync(join(directory, name), text)
      return join(directory, name)
    },
    client: (apiKey) => new Upvane({ apiKey, baseUrl }),
    upv: (key, args, env = {}) =>
      runUpv(args, { UPVANE_URL: baseUrl, UPVANE_API_KEY: key, ...env }),
    async stop() {
      rmSync(directory, { recursive: true })
      await product.stop()
    },
  }
}

export type SeenRequest = { method: string; url: string; signature: string }
export type KillPoint = 'pass' | 'before' | 'after'

/** A proxy that may end the process behind a request: before it is passed on, or after the product answered. */
export async function startKiller(baseUrl: string, decide: (seen: SeenRequest) => KillPoint) {
  let kill = (): void => undefined
  const server = createServer(async (incoming, outgoing) => {
    const body = await readAll(incoming)
    const { method = '', url = '' } = incoming
    const hash = createHash('sha256').update(body).digest('hex')
    const verdict = decide({ method, url, signature: `${method} ${url} ${hash}` })
    if (verdict === 'before') return kill()
    await pass(new URL(url, baseUrl), incoming, body, verdict === 'after' ? kill : outgoing)
  })
  const { port, close } = await listen(server)
  /** Starts the command behind the proxy. */
  const start = (args: string[], env: Record<string, string>): Running => {
    const running = startUpv(args, { ...env, UPVANE_URL: `http://127.0.0.1:${port}` })
    kill = () => void running.process.kill('SIGKILL')
    return running
  }
  return {
    close,
    start,
    run: (args: string[], env: Record<string, string>): Promise<Ended> => start(args, env).ended,
  }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function pass(
  target: URL,
  { method, headers }: IncomingMessage,
  body: Buffer,
  to: ServerResponse | (() => void),
): Promise<void> {
  return new Promise((resolve, reject) => {
    const passed = request(target, { method, headers }, (answer) => {
      if (typeof to === 'function') {
        answer.resume().once('end', () => resolve(to()))
        return
      }
      to.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(to).once('finish', resolve).once('close', resolve)
    })
    passed.once('error', reject)
    passed.end(body)
  })
}

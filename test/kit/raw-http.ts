// Bytes straight to the socket, for what no HTTP client would send.
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertResponse, assertUntouched } from './assert-response.ts'
import { ApiResponse } from './response.ts'

const GIVE_UP_MS = 10_000
const SETTLE_MS = 20

type RawOptions = {
  /** Sent one after the other, with a short pause in between. */
  pieces: readonly (string | Buffer)[]
  /** Ends our side after the last piece, so that the server sees the request break off. */
  half?: boolean
  giveUpMs?: number
  /** How many responses to wait for; the wait also ends when the server closes the connection. */
  answers?: number
  methods?: readonly string[]
  /** The request path: it determines the shape of a success. */
  path?: string
}
type RawResult = { answers: ApiResponse[]; closed: boolean }

/** Sends bytes and reads the responses. Every response is checked like any other. */
export async function sendRaw(
  { baseUrl, rateLimit }: { baseUrl: string; rateLimit: number },
  { pieces, half = false, giveUpMs = GIVE_UP_MS, answers = Infinity, ...asked }: RawOptions,
): Promise<RawResult> {
  const { methods = [], path = '/api/v1/monitors' } = asked
  const { hostname, port } = new URL(baseUrl)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const reading = readUntil(socket, { answers, methods, giveUpMs })
  for (const piece of pieces) {
    if (!socket.writable) break
    socket.write(piece)
    if (pieces.length > 1) await sleep(SETTLE_MS)
  }
  if (half) socket.end()
  const result = await reading
  socket.destroy()
  result.answers.forEach((answer, i) => {
    assertResponse(answer, { method: methods[i] ?? 'GET', path, rateLimit })
  })
  return result
}

/** Asserts that the server refused the bytes with its envelope and closed the connection. */
export async function assertRefused(
  server: { baseUrl: string; rateLimit: number },
  options: RawOptions,
): Promise<ApiResponse> {
  const { answers, closed } = await sendRaw(server, options)
  const [answer] = answers
  assert.ok(answer, 'the server said nothing')
  assert.equal(answers.length, 1, 'one refusal, and nothing after it')
  assert.deepEqual([answer.status, answer.paths], [400, ['request']], answer.text)
  assertUntouched(answer, server.rateLimit)
  assert.equal(answer.headers['connection'], 'close')
  assert.ok(closed, 'the connection is closed')
  return answer
}

type Wanted = Required<Pick<RawOptions, 'answers' | 'methods' | 'giveUpMs'>>

function readUntil(socket: Socket, { answers, methods, giveUpMs }: Wanted): Promise<RawResult> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0)
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      resolve({ answers: parseResponses(bytes, methods), closed })
    }
    const timer = setTimeout(() => finish(false), giveUpMs)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (parseResponses(bytes, methods).length >= answers) finish(false)
    })
    socket.on('end', () => finish(true))
    // A reset after the response is a way of closing; before it, the missing response fails the test.
    socket.on('error', () => finish(true))
  })
}

/** Complete responses only; interim ones (100 Continue) are skipped. */
function parseResponses(bytes: Buffer, methods: readonly string[]): ApiResponse[] {
  const answers: ApiResponse[] = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return answers
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    assert.ok(status, `not an HTTP answer: ${statusLine}`)
    rest = rest.subarray(end + 4)
    if (status < 200) continue
    const headers = lines.flatMap((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    const lengthLine = lines.find((line) => /^content-length:/i.test(line)) ?? ''
    const isHead = methods[answers.length] === 'HEAD'
    const length = isHead ? 0 : Number(lengthLine.split(':')[1] ?? 0)
    if (rest.length < length) return answers
    answers.push(new ApiResponse(status, headers, rest.subarray(0, length).toString()))
    rest = rest.subarray(length)
  }
}

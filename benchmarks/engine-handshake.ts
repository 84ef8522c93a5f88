// What does a verified TLS connection of a check cost, against bare node:tls that reads no certificate? And reading the
// certificate alone: as the object Node has always had, and as an X509Certificate.
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { assertTrusted, createTlsContexts, expiryOf, handshake } from '../src/outbound/tls.ts'
import { createAuthority } from '../test/kit/targets/certificates.ts'
import { Target, TESTED_CORE } from './engine-kit.ts'
import { reportGoals } from './engine-report.ts'
import { type Contender, type Figure, takeTurns, toFigures } from './harness.ts'
import { cpuMicros, pin, watchBusyness } from './machine.ts'
import { readOptions } from './report.ts'

const HOST = 'target.test'
const ADDRESS = '127.0.0.1'
const CONCURRENCY = 8
const OPERATIONS = 400
const NEVER = new AbortController().signal

const { rounds } = readOptions()
const authority = createAuthority('Acme Trust')
const { key, cert } = authority.issue(HOST)
const { verify } = createTlsContexts([authority.root])
authority.remove()
const target = new Target()
pin(process.pid, TESTED_CORE)
try {
  const { ports } = await target.request({ do: 'listen', key, cert })
  if (ports === undefined) throw new Error('The target listens nowhere')
  await measure(ports.https)
} finally {
  target.stop()
}

async function measure(port: number): Promise<void> {
  const busy = watchBusyness()
  const plan = { operations: OPERATIONS, rounds, warmUp: 2000 }
  const pair = (ours: Connect, bare: Connect) => ({
    ours: contender(port, ours),
    bare: contender(port, bare),
  })
  const whole = await takeTurns(pair(connectOurs, connectBare), plan)
  const reading = await takeTurns(pair(connectX509, connectObject), plan)
  const [connection, read] = [cpuOf(toFigures('', whole, {})), cpuOf(toFigures('', reading, {}))]
  const setting = {
    tls: 'TLS 1.3, ECDSA P-256, root and intermediate, verified, no resumption',
    pinning: 'client on core 0, server on core 1',
    rounds: `${rounds} rounds of A B B A, ${OPERATIONS} connections each, ${CONCURRENCY} at once`,
  }
  reportGoals('TLS connections', { setting, busy }, [
    {
      goal: 'P2',
      measure: 'CPU, a connection of a check',
      unit: 'us',
      ours: connection.oursUs,
      bare: connection.bareUs,
      atMost: 1.25,
      by: 'ratio',
    },
    { goal: '', measure: 'CPU with an X509Certificate', unit: 'us', ours: read.oursUs },
    { goal: '', measure: 'CPU with getPeerCertificate', unit: 'us', ours: read.bareUs },
  ])
}

function cpuOf(figures: readonly Figure[]): Figure {
  const found = figures.find((figure) => figure.measure === 'cpu all')
  if (found === undefined) throw new Error('no figure')
  return found
}

type Connect = (port: number) => Promise<TLSSocket>

function contender(port: number, connect: Connect): Contender {
  return {
    async run(operations) {
      let left = operations
      const worker = async () => {
        while (left-- > 0) (await connect(port)).destroy()
      }
      await Promise.all(Array.from({ length: CONCURRENCY }, worker))
    },
    cpuMicros: { node: () => cpuMicros(process.pid) },
  }
}

/** As src/outbound/connect.ts does. */
async function connectOurs(port: number): Promise<TLSSocket> {
  const socket = connectSocket({ port, host: ADDRESS })
  await once(socket, 'connect')
  const encrypted = await handshake(socket, { host: HOST, context: verify, alpn: [] }, NEVER)
  expiryOf(encrypted.certificate)
  assertTrusted(encrypted, { host: HOST, trust: 'FULL', now: new Date() })
  return encrypted.socket
}

function connectBare(port: number): Promise<TLSSocket> {
  return connectWith(port, verify)
}

async function connectX509(port: number): Promise<TLSSocket> {
  const socket = await connectWith(port, verify)
  const certificate = socket.getPeerX509Certificate()
  if (!certificate?.validTo || !certificate.issuer) throw new Error('There is no certificate')
  return socket
}

async function connectObject(port: number): Promise<TLSSocket> {
  const socket = await connectWith(port, verify)
  if (socket.getPeerCertificate().valid_to === undefined) throw new Error('There is no certificate')
  return socket
}

/** Node verifies the chain; skipping the name keeps the comparison to what is read. */
async function connectWith(port: number, secureContext: SecureContext): Promise<TLSSocket> {
  const socket = connectTls({
    port,
    host: ADDRESS,
    servername: HOST,
    secureContext,
    checkServerIdentity: () => undefined,
  })
  await once(socket, 'secureConnect')
  return socket
}

// A mail relay that stores what it receives: a real SMTP server on loopback.
import { text as readText } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type ParsedEmail, readEmail } from './read-email.ts'
import type { Identity } from './targets/certificates.ts'
import { onFreePort } from './targets/listen.ts'

export type Received = ParsedEmail & {
  from: string
  to: string
  isEncrypted: boolean
  user: string
}

/** `SILENCE`: it never responds. A code and text: the refusal. */
export type Verdict = 'TAKE' | 'SILENCE' | { code: number; words: string }

export type SinkOptions = {
  port?: number
  identity?: Identity
  /** TLS from the first byte. */
  implicitTls?: boolean
  login?: { user: string; password: string }
  /** Called for each recipient. */
  judge?(to: string): Verdict
  /** Called for each email that arrived complete. */
  judgeMail?(mail: Received): Verdict
  delayMs?: number
}

export type SmtpSink = {
  port: number
  mails: Received[]
  /** Number of connections so far. */
  connections: number
  to(address: string): Received[]
  close(): Promise<void>
}

export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const { judge = () => 'TAKE', judgeMail = () => 'TAKE', delayMs = 0 } = options
  const mails: Received[] = []
  const sink = { port: 0, mails, connections: 0 }
  const server = new SMTPServer({
    ...securityOf(options),
    onConnect(_session, done) {
      sink.connections += 1
      done()
    },
    onAuth({ username, password }, _session, done) {
      const { login } = options
      const isRight = username === login?.user && password === login?.password
      done(isRight ? null : refusal({ code: 535, words: '5.7.8 No such user' }), { user: username })
    },
    onRcptTo({ address }, _session, done) {
      respond(judge(address), done)
    },
    async onData(stream, session, done) {
      // A killed sender leaves half an email, which does not count.
      const raw = await readText(stream).catch(() => undefined)
      if (raw === undefined) return
      const { envelope, secure, user } = session
      const mail = {
        ...readEmail(raw),
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        to: envelope.rcptTo[0]?.address ?? '',
        isEncrypted: secure,
        user: String(user ?? ''),
      }
      const verdict = judgeMail(mail)
      if (verdict === 'TAKE') mails.push(mail)
      setTimeout(() => respond(verdict, done), delayMs)
    },
  })
  server.on('error', () => undefined)
  const bind = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  if (options.port !== undefined) await bind(options.port)
  sink.port = options.port ?? (await onFreePort(bind))
  return Object.assign(sink, {
    to: (address: string) => mails.filter((mail) => mail.to === address),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

function securityOf({ identity, implicitTls = false, login }: SinkOptions): SMTPServerOptions {
  return {
    ...(identity && { key: identity.key, cert: identity.cert }),
    secure: implicitTls,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    closeTimeout: 200,
    disableReverseLookup: true,
    disabledCommands: [
      ...(identity === undefined ? ['STARTTLS'] : []),
      ...(login === undefined ? ['AUTH'] : []),
    ],
  }
}

function respond(verdict: Verdict, done: (error?: Error | null) => void): void {
  if (verdict === 'SILENCE') return
  done(verdict === 'TAKE' ? null : refusal(verdict))
}

const refusal = ({ code, words }: { code: number; words: string }) =>
  Object.assign(new Error(words), { responseCode: code })

import type { Upvane } from '@upvane/sdk'
import { signWebhook, WebhookVerificationError } from '@upvane/sdk/webhooks'
import { readConnection } from '../account/connection.ts'
import { createClient, explainError } from '../api/client.ts'
import { CommandError, defineCommand, type Environment, type Values } from '../command.ts'
import { toJson, toText } from '../listen/print-delivery.ts'
import { startReceiver } from '../listen/receiver.ts'
import { type Registration, register } from '../listen/registration.ts'
import { clean, note, paint, print, toSafeJson } from '../terminal/text.ts'
import { untilStopped } from '../until-stopped.ts'
import { readWhole } from './option-values.ts'

const DEFAULT_PORT = '9900'
const DEFAULT_URL = 'http://127.0.0.1:8080'

const OPTIONS = {
  port: { value: 'N', text: `port on 127.0.0.1 (${DEFAULT_PORT}); 0 takes any free one` },
  secret: {
    value: 'S',
    text: `verify with this secret. Other users of the machine can read it in
the list of processes: UPVANE_WEBHOOK_SECRET is safer`,
    many: true,
  },
  status: {
    value: 'CODE',
    text: 'answer with this status. Otherwise 204, or 400 to what is not verified',
  },
  forward: {
    value: 'URL',
    text: 'send each delivery on, byte for byte, and answer as that address does',
  },
  verbose: { text: 'also print the headers and the body of each delivery' },
  register: {
    text: `create an endpoint for this address, verify with its secret,
delete it at the end`,
  },
} as const

export const listen = defineCommand({
  name: 'listen',
  summary: 'receive webhooks on this machine and show them',
  options: OPTIONS,
  usesApi: true,
  printsJson: true,
  notes: [
    `With --json it prints one JSON object per line: first the address, then each delivery.
UPVANE_WEBHOOK_SECRET holds one or more secrets, with blanks between. Without UPVANE_URL and a profile,
--register uses ${DEFAULT_URL}.`,
    `It listens until Ctrl-C. Upvane sends to public https addresses only, unless its operator allows others:
"npm run try" allows this machine's own.`,
  ],
  examples: ['upv listen --register --forward http://127.0.0.1:3000/hooks'],
  async run({ options, env }) {
    const settings = await readSettings(options, env)
    const { json, verbose, secrets } = settings
    // Set up first: Ctrl-C must never leave an endpoint behind.
    const stopped = untilStopped()
    const counts = { all: 0, verified: 0 }
    const receiver = await startReceiver({
      ...settings,
      report(delivery, answer) {
        counts.all += 1
        if (delivery.verdict.verified === true) counts.verified += 1
        print(json ? toJson(delivery, answer) : toText(delivery, answer, verbose))
      },
      reportOther: (what) => printNote(json, clean(what)),
    })
    try {
      const registration = settings.upvane && (await register(settings.upvane, receiver.url))
      if (registration) secrets.push(registration.secret)
      announce(json, receiver.url, registration, secrets.length)
      await stopped
      await registration?.end().catch((error: Error) => {
        const why = explainError(error) ?? error.message
        throw new CommandError(1, `${registration.endpointId} is still there: ${why}`)
      })
    } finally {
      await receiver.stop()
    }
    printNote(json, `\n${counts.all} received, ${counts.verified} verified.`)
  },
})

type Settings = {
  port: number
  secrets: string[]
  status?: number
  forwardTo?: URL
  verbose: boolean
  json: boolean
  upvane?: Upvane
}

type Given = Values<typeof OPTIONS> & { json?: boolean; profile?: string | undefined }

async function readSettings(options: Given, env: Environment): Promise<Settings> {
  const { port = DEFAULT_PORT, secret, status, forward, verbose, json = false } = options
  if (status !== undefined && forward !== undefined)
    throw new CommandError(2, '--status and --forward both decide the answer. Give one.')
  const fromEnv = (env['UPVANE_WEBHOOK_SECRET'] ?? '').split(/[\s,]+/).filter((text) => text !== '')
  const secrets = secret.length > 0 ? [...secret] : fromEnv
  await assertSecrets(secrets)
  return {
    verbose,
    json,
    secrets,
    port: readWhole('port', port, [0, 65_535]),
    ...(status !== undefined && { status: readWhole('status', status, [200, 599]) }),
    ...(forward !== undefined && { forwardTo: webAddress(forward) }),
    ...(options.register && {
      upvane: createClient(await readConnection(env, options.profile, DEFAULT_URL)),
    }),
  }
}

async function assertSecrets(secrets: readonly string[]): Promise<void> {
  if (secrets.length === 0) return
  try {
    await signWebhook({ secrets, id: 'evt_', body: '' })
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw new CommandError(2, error.message)
    throw error
  }
}

function webAddress(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new CommandError(2, '--forward must be an http:// or https:// address.')
}

function announce(
  json: boolean,
  url: string,
  registration: Registration | undefined,
  secrets: number,
): void {
  const endpointId = registration?.endpointId ?? null
  if (json) return print(toSafeJson({ kind: 'listening', url, endpointId }, 'compact'))
  print(`Listening on ${paint('bold', url)} until Ctrl-C.`)
  if (endpointId !== null) print(`Registered as ${endpointId}, for every event.`)
  if (secrets === 0) print('No secret was given: nothing can be verified.')
  print('')
}

/** For people: on stderr, so it does not mix with the JSON lines. */
function printNote(json: boolean, text: string): void {
  if (json) note(text)
  else print(text)
}

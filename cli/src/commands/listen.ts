import { signWebhook, WebhookVerificationError } from '@upvane/sdk/webhooks'
import { type Command, CommandError, type Environment, readOptions } from '../command.ts'
import { toJson, toText } from '../listen/print-delivery.ts'
import { startReceiver } from '../listen/receiver.ts'
import { type Api, type Registration, register } from '../listen/registration.ts'
import { clean, paint } from '../terminal.ts'
import { untilStopped } from '../until-stopped.ts'

const DEFAULT_PORT = '9900'
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080'

const HELP = `upv listen: receive webhooks on this machine and show them

  upv listen [--port N] [--secret whsec_…]… [--status CODE | --forward URL] [--verbose] [--json]
  upv listen --register …

  --port N         port on 127.0.0.1 (${DEFAULT_PORT}); 0 takes any free one
  --secret S       verify with this secret; may be given several times. Other users of the machine can
                   read it in the list of processes: UPVANE_WEBHOOK_SECRET is safer
  --status CODE    answer with this status. Otherwise 204, or 400 to what is not verified
  --forward URL    send each delivery on, byte for byte, and answer as that address does
  --verbose        also print the headers and the body of each delivery
  --json           one JSON object per line: first the address, then each delivery
  --register       create an endpoint for this address, verify with its secret, delete it at the end

From the environment:

  UPVANE_WEBHOOK_SECRET   one or more secrets, with blanks between
  UPVANE_API_KEY          for --register: a key that may write
  UPVANE_BASE_URL         for --register (${DEFAULT_BASE_URL})

It listens until Ctrl-C. Upvane sends to public https addresses only, unless its operator allows others:
"npm run try" allows this machine's own.`

const OPTIONS = {
  port: { type: 'string', default: DEFAULT_PORT },
  secret: { type: 'string', multiple: true, default: [] as string[] },
  status: { type: 'string' },
  forward: { type: 'string' },
  verbose: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  register: { type: 'boolean', default: false },
} as const

export const listen: Command = {
  name: 'listen',
  summary: 'receive webhooks on this machine and show them',
  help: HELP,
  async run(args, env) {
    const settings = await readSettings(args, env)
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
      const registration = settings.api && (await register(settings.api, receiver.url))
      if (registration) secrets.push(registration.secret)
      announce(json, receiver.url, registration, secrets.length)
      await stopped
      await registration?.end().catch((error: Error) => {
        throw new CommandError(1, `${registration.endpointId} is still there: ${error.message}`)
      })
    } finally {
      await receiver.stop()
    }
    printNote(json, `\n${counts.all} received, ${counts.verified} verified.`)
  },
}

type Settings = {
  port: number
  secrets: string[]
  status?: number
  forwardTo?: URL
  verbose: boolean
  json: boolean
  api?: Api
}

async function readSettings(args: string[], env: Environment): Promise<Settings> {
  const {
    port,
    secret,
    status,
    forward,
    register: wantsRegister,
    ...rest
  } = readOptions(args, OPTIONS)
  if (status !== undefined && forward !== undefined)
    throw new CommandError(2, '--status and --forward both decide the answer. Give one.')
  const fromEnv = (env['UPVANE_WEBHOOK_SECRET'] ?? '').split(/[\s,]+/).filter((text) => text !== '')
  const secrets = secret.length > 0 ? [...secret] : fromEnv
  await assertSecrets(secrets)
  return {
    ...rest,
    secrets,
    port: wholeNumber('--port', port, 0, 65_535),
    ...(status !== undefined && { status: wholeNumber('--status', status, 200, 599) }),
    ...(forward !== undefined && { forwardTo: webAddress(forward) }),
    ...(wantsRegister && { api: readApi(env) }),
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

function readApi(env: Environment): Api {
  const { UPVANE_API_KEY: key, UPVANE_BASE_URL: baseUrl = DEFAULT_BASE_URL } = env
  if (!key) throw new CommandError(2, '--register needs UPVANE_API_KEY in the environment.')
  if (!URL.canParse(baseUrl)) throw new CommandError(2, 'UPVANE_BASE_URL is not an address.')
  return { key, baseUrl }
}

function wholeNumber(option: string, text: string, from: number, to: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (number >= from && number <= to) return number
  throw new CommandError(2, `${option} must be a whole number from ${from} to ${to}.`)
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
  if (json) return print(JSON.stringify({ kind: 'listening', url, endpointId }))
  print(`Listening on ${paint('bold', url)} until Ctrl-C.`)
  if (endpointId !== null) print(`Registered as ${endpointId}, for every event.`)
  if (secrets === 0) print('No secret was given: nothing can be verified.')
  print('')
}

/** For people: on stderr, so it does not mix with the JSON lines. */
function printNote(json: boolean, text: string): void {
  if (json) process.stderr.write(`${text}\n`)
  else print(text)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

// `npm run try`: the whole product in one command. All data is deleted at the end.
import { buildWeb } from './build-web.ts'
import { explainMissing, readOptions, stopRequested, wholeNumber } from './command.ts'
import { startStack } from './stack.ts'

const USAGE = `npm run try -- [options]

  Runs Upvane on servers of its own, until Ctrl-C. Nothing is kept.

  --port 8080         that port instead of a free one
  --nats              with NATS between its parts
  --rate-limit 1000   requests a minute for each key, instead of 120
  --json              print the addresses and keys as JSON
  --help              print this`

const values = readOptions(
  {
    json: { type: 'boolean', default: false },
    nats: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    'rate-limit': { type: 'string', default: '120' },
  },
  USAGE,
)
const port = wholeNumber('port', values.port)
const rateLimit = wholeNumber('rate-limit', values['rate-limit'])

const end = stopRequested()
let stopping = false
const startedAt = performance.now()
await buildWeb()
const stack = await startStack({
  nats: values.nats,
  rateLimit,
  mayEmbedPostgres: true,
}).catch(explainMissing)
const service = await stack.start('start', { port })
void service.process.once('exit', (code) => {
  if (stopping) return
  console.error(`The service ended by itself with code ${code}.`)
  process.exit(1)
})

const details = {
  baseUrl: service.baseUrl,
  internalUrl: service.internalUrl,
  databaseUrl: stack.databaseUrl,
  natsUrl: stack.nats?.url ?? null,
  organizationId: stack.organizationId,
  keys: stack.keys,
}
console.log(values.json ? JSON.stringify(details) : welcome())

await end
stopping = true
await stack.stop()

function welcome(): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const keys = Object.entries(details.keys)
    .map(([name, key]) => `    ${name.padEnd(18)} ${key}`)
    .join('\n')
  return `
  Upvane is running (ready after ${seconds} s). Everything is thrown away when you stop it with Ctrl-C.

  Dashboard  ${details.baseUrl}
  API        ${details.baseUrl}/api/v1
  Reference  ${details.baseUrl}/docs
  Health     ${details.internalUrl}/readyz
  Metrics    ${details.internalUrl}/metrics
  Database   ${details.databaseUrl}${details.natsUrl ? `\n  NATS       ${details.natsUrl}` : ''}

  Sign in    ${stack.person.email}, password "${stack.person.password}"

  Organization ${details.organizationId}, keys:
${keys}

  Your first monitor:

    curl -s ${details.baseUrl}/api/v1/monitors \\
      -H 'X-API-Key: ${details.keys.full}' -H 'Content-Type: application/json' \\
      -d '{"name":"This service","type":"HTTP","url":"${details.baseUrl}/docs","intervalSeconds":30}'
`
}

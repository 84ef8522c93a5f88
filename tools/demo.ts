// `npm run demo`: the whole product with ninety days of a company's history. All data is deleted at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'
import { explainMissing, readOptions, stopRequested, wholeNumber } from './command.ts'
import { startDemo } from './demo/start.ts'

const USAGE = `npm run demo -- [options]

  Runs Upvane with ninety days of a company's history, until Ctrl-C. Nothing is kept.

  --monitors 5000   that many monitors instead of forty
  --empty           an organization in which nothing is set up yet
  --port 8080       that port instead of a free one
  --json            print the addresses, the sign-in and the keys as JSON
  --help            print this`

const values = readOptions(
  {
    json: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    monitors: { type: 'string', default: '0' },
    empty: { type: 'boolean', default: false },
  },
  USAGE,
)
const port = wholeNumber('port', values.port)
const monitors = wholeNumber('monitors', values.monitors)

const end = stopRequested()
let stopping = false
const startedAt = performance.now()
const directory = mkdtempSync(join(tmpdir(), 'upvane-demo-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
const say = (text: string): void => {
  // Only for people: with --json, the output is for a program.
  if (!values.json) console.log(text)
}
say('Building the dashboard…')
await buildWeb()
say(
  values.empty
    ? 'Starting PostgreSQL and the service…'
    : 'Starting PostgreSQL, and writing ninety days of history. This takes a minute or more…',
)
const demo = await startDemo({ directory, port, monitors, isEmpty: values.empty }).catch(
  explainMissing,
)
demo.service.process.once('exit', (code) => {
  if (stopping) return
  console.error(`The service ended by itself with code ${code}.`)
  process.exit(1)
})

const { baseUrl, internalUrl } = demo.service
const { person, organizationId, keys, databaseUrl } = demo.stack
const details = { baseUrl, internalUrl, databaseUrl, organizationId, person, keys, ...demo.things }
console.log(values.json ? JSON.stringify(details) : welcome())

await end
stopping = true
await demo.stop()

function welcome(): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const holds = values.empty ? 'and nothing is set up yet' : 'with ninety days of Acme'
  const places = values.empty
    ? `First steps  ${baseUrl}/welcome\n  To watch     ${baseUrl}/docs, for one`
    : `Status page  ${baseUrl}/status/acme`
  return `
  Upvane is running ${holds} (ready after ${seconds} s).
  Everything is thrown away when you stop it with Ctrl-C.

  Dashboard    ${baseUrl}
  ${places}

  Sign in      ${person.email}, password "${person.password}"
`
}

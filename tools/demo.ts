// `npm run demo`: the whole product with ninety days of a company's history, thrown away at the end.
// Options: --monitors 5000 (a large organization), --empty (nothing is set up yet), --port, --json.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWeb } from './build-web.ts'
import { toldToStop, wholeNumber } from './command.ts'
import { startDemo } from './demo/start.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
    monitors: { type: 'string', default: '0' },
    empty: { type: 'boolean', default: false },
  },
})
const port = wholeNumber('port', values.port)
const monitors = wholeNumber('monitors', values.monitors)

const end = toldToStop()
let stopping = false
const startedAt = performance.now()
const directory = mkdtempSync(join(tmpdir(), 'upvane-demo-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
await buildWeb()
const demo = await startDemo({ directory, port, monitors, isEmpty: values.empty })
demo.service.process.once('exit', (code) => {
  if (stopping) return
  console.error(`The service ended by itself with code ${code}.`)
  process.exit(1)
})

const { baseUrl, internalUrl } = demo.service
const { person, organizationId, keys, databaseUrl } = demo.stack
const facts = { baseUrl, internalUrl, databaseUrl, organizationId, person, keys, ...demo.things }
console.log(values.json ? JSON.stringify(facts) : welcome())

await end
stopping = true
await demo.stop()

function welcome(): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  return `
  Upvane is running with ninety days of Acme (ready after ${seconds} s). Everything is thrown away when you stop it
  with Ctrl-C.

  Dashboard    ${baseUrl}
  Status page  ${baseUrl}/status/acme

  Sign in      ${person.email}, password "${person.password}"
`
}

// This folder relies on parts of pg that its types omit and that may change in any release.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { test } from 'node:test'

/** The versions with which everything in this folder was verified. */
const VERIFIED = { pg: '8.23.1', 'pg-protocol': '1.16.1', 'pg-types': '2.2.0' }

const HOW_TO_VERIFY = `src/store/wire uses internals of pg and was verified with other versions. Before changing VERIFIED:
1. In pg/lib/query.js, prepare() still calls parse, bind, describe and execute of the connection it is given, and
   handleRowDescription, handleDataRow, handleCommandComplete, handleReadyForQuery and handleError are still the hooks
   (scoped-query.ts, copy-rows.ts).
2. In pg/lib/client.js, a submitted query still ends at ReadyForQuery, a query timeout still replaces its "callback", and
   rows still arrive before any row of the next query.
3. In pg/lib/connection.js, "parsedStatements" and "submittedNamedStatements" still decide what is parsed again, and
   "stream", "sendCopyFromChunk" and "endCopyFrom" still exist.
4. pg/lib/utils.js still passes a Buffer on, and pg-protocol still sends it in binary format (batch-values.ts).
5. pg-types still parses timestamps and arrays from text (wire-values.ts).
6. These pass: npm run long pg-latest, npm run test:unit -- store/wire, npm run test:db -- store, npm run test:contract -- isolation, and
   npm run test:fault -- postgres. Then run npm run bench:api before and after: this code exists for speed.
Until then, DATABASE_PROTOCOL=plain works without any of this.`

for (const [name, version] of Object.entries(VERIFIED))
  test(`${name} is the version with which the wire protocol code was verified`, () => {
    const found = versionOf(name)
    assert.equal(found, version, `${name} ${found}, not ${version}: ${HOW_TO_VERIFY}`)
  })

test('package.json names that version of pg exactly', () => {
  const path = new URL('../../../package.json', import.meta.url)
  const { dependencies } = JSON.parse(readFileSync(path, 'utf8'))
  assert.equal(dependencies.pg, VERIFIED.pg)
})

/** As pg finds it. */
function versionOf(name: string): string {
  const pg = findPackageJSON('pg', import.meta.url)
  const path = name === 'pg' ? pg : pg && findPackageJSON(name, pg)
  assert.ok(path, name)
  return JSON.parse(readFileSync(path, 'utf8')).version
}

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { listen } from '../test/kit/targets/listen.ts'
import { auditVulnerabilities } from './package-audit.ts'

const ADVISORIES = '/-/npm/v1/security/advisories/bulk'
const root = join(import.meta.dirname, '..')
const caches: string[] = []
after(() => caches.forEach((cache) => rmSync(cache, { recursive: true, force: true })))

/** Runs npm against a registry with these advisories, or against one that does not respond. */
async function auditAgainst(advisories: Record<string, string> | undefined) {
  const registry = await listen(
    createServer((request, response) => {
      if (request.url !== ADVISORIES || advisories === undefined)
        return void response.writeHead(404).end('{}')
      const found = Object.entries(advisories).map(([name, severity]) => [
        name,
        [
          {
            id: 1,
            url: 'https://advisories.example/1',
            title: 'T',
            severity,
            vulnerable_versions: '*',
          },
        ],
      ])
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Object.fromEntries(found)))
    }),
  )
  const cache = mkdtempSync(join(tmpdir(), 'upvane-audit-'))
  caches.push(cache)
  try {
    return await auditVulnerabilities({
      PATH: process.env['PATH'],
      HOME: cache,
      npm_config_registry: `http://127.0.0.1:${registry.port}/`,
      npm_config_cache: cache,
      npm_config_prefix: root,
    })
  } finally {
    await registry.close()
  }
}

// biome-ignore format: a table is read by its columns
const rows: [what: string, advisories: Record<string, string> | undefined, outcome: string][] = [
  ['no advisory',                             {},                       'PASSED'],
  ['a critical one of a package we install',  { undici: 'critical' },   'FAILED'],
  ['a high one',                              { pg: 'high' },           'FAILED'],
  ['a moderate one',                          { undici: 'moderate' },   'PASSED'],
  ['a high one of a tool for developers',     { vite: 'high' },         'PASSED'],
  ['a registry without advisories',           undefined,                'NOT_ANSWERED'],
]
for (const [what, advisories, outcome] of rows)
  test(`npm audit: ${what} -> ${outcome}`, async () => {
    const verdict = await auditAgainst(advisories)
    assert.equal(verdict.outcome, outcome, verdict.detail)
  })

// Whatever "upv import" puts into a file, "upv apply" creates: files in the real shape of every tool, and any content.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Upvane } from '@upvane/sdk'
import fc from 'fast-check'
import { ANY_CONTENT } from '../../../cli/test/import/any-content.ts'
import { makeKumaDatabase, TEAM } from '../../../cli/test/import/kuma-database.ts'
import { REAL_FILES } from '../../../cli/test/import/real-files.ts'
import { startProduct } from '../../kit/fixture.ts'
import { openShell } from './shell.ts'

const SEED = 17
const SAMPLES = 60
const OUTPUTS = ['upvane.yaml', 'import-report.json', 'old-to-new-heartbeats.csv']

const root = mkdtempSync(join(tmpdir(), 'upv-accepted-'))
const product = await startProduct()
after(async () => {
  await product.stop()
  rmSync(root, { recursive: true })
})
const shell = openShell(root)

type Counts = { total: number; mapped: number; changed: number; notTaken: number }
type Report = {
  counts: Record<string, Counts>
  items: { outcome: string; became?: string }[]
  additions: { address: string }[]
  variables: string[]
}

let folders = 0
function newFolder(): string {
  folders += 1
  const folder = join(root, String(folders))
  mkdirSync(folder)
  return folder
}

function readReport(folder: string): Report {
  const report = JSON.parse(readFileSync(join(folder, 'import-report.json'), 'utf8')) as Report
  let total = 0
  for (const counts of Object.values(report.counts)) {
    assert.equal(counts.mapped + counts.changed + counts.notTaken, counts.total)
    total += counts.total
  }
  assert.equal(total, report.items.length)
  return report
}

/** Imports and applies what is in the folder, and compares what there is with the report. */
async function move(folder: string, tool: string, file: string): Promise<Report> {
  const { key } = await product.createOrganization()
  const { baseUrl } = product.service
  const env = { UPVANE_URL: baseUrl, UPVANE_API_KEY: key }
  const options = '--secrets-file secrets.env --timezone Europe/Berlin --nearest'
  await shell(folder, `upv import ${tool} --file ${file} ${options}`, env)
  const report = readReport(folder)
  // Gatus knows variables whose values are not in its file.
  const given = report.variables.map((name) => `: "\${${name}:=x}"; export ${name}`).join('\n')
  const prepare = `set -a; . ./secrets.env; set +a\n${given}`
  await shell(folder, `${prepare}\nupv apply -f upvane.yaml --yes`, env)
  await shell(folder, `${prepare}\nupv plan -f upvane.yaml --detailed-exitcode`, env)
  const monitors = await new Upvane({ baseUrl, apiKey: key }).monitors.list().all()
  const became = new Set([
    ...report.items.flatMap((item) => item.became ?? []),
    ...report.additions.map(({ address }) => address),
  ])
  const expected = [...became].filter((address) => /^monitors\.[^.]+$/.test(address))
  assert.equal(monitors.length, expected.length)
  return report
}

for (const version of [1, 2] as const)
  test(`a database of Uptime Kuma ${version}`, async () => {
    const folder = newFolder()
    // Addresses of pages belong to one organization alone.
    const status_page = (TEAM['status_page'] ?? []).map((row) => ({
      ...row,
      slug: `kuma-${version}`,
    }))
    makeKumaDatabase(join(folder, 'kuma.db'), version, { ...TEAM, status_page })
    const { counts } = await move(folder, 'uptime-kuma', 'kuma.db')
    assert.deepEqual([counts['monitor']?.total, counts['monitor']?.notTaken], [9, 2])
    for (const name of OUTPUTS.slice(0, 2))
      assert.ok(!readFileSync(join(folder, name), 'utf8').includes('planted'), name)
  })

for (const { tool, version, name, text, counts } of REAL_FILES)
  test(`${tool}: ${version}`, async () => {
    const folder = newFolder()
    writeFileSync(join(folder, name), text)
    const report = await move(folder, tool, name)
    const found = Object.entries(report.counts)
      .filter(([, { total }]) => total > 0)
      .map(([kind, { mapped, changed, notTaken }]) => [kind, [mapped, changed, notTaken]])
    assert.deepEqual(Object.fromEntries(found), counts)
    for (const each of OUTPUTS.slice(0, 2))
      assert.ok(!readFileSync(join(folder, each), 'utf8').includes('planted'), each)
  })

for (const [tool, [content, toFile]] of Object.entries(ANY_CONTENT))
  test(`${tool}: any content`, async () => {
    const folder = newFolder()
    const rows = fc.sample(content, { numRuns: SAMPLES, seed: SEED }).flat()
    writeFileSync(join(folder, 'given'), toFile(rows))
    const report = await move(folder, tool, 'given')
    const taken = report.items.filter(({ outcome }) => outcome !== 'not taken')
    assert.ok(taken.length > 0 && taken.length < report.items.length)
  })

// Values of environment variables in whatever can go wrong: they are in no output.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { startBench } from './bench.ts'

const bench = await startBench()
after(() => bench.stop())

const ENV = {
  HOOK: 'https://127.0.0.1/planted-hook',
  ENDPOINT: 'https://10.0.0.1/planted-endpoint',
  KEY: 'planted-routing-key',
  HEADER: 'planted\nheader',
  DOMAIN: 'planted.example',
}
const FILE = `version: 1
source: shop
contacts:
  slack: { name: Slack, channel: SLACK, settings: { url: "\${env:HOOK}" } }
  pager: { name: Pager, channel: PAGERDUTY, settings: { routingKey: "\${env:KEY}" } }
monitors:
  private: { name: Private, type: HTTP, url: "\${env:ENDPOINT}" }
  header: { name: Header, type: HTTP, url: "https://example.com", requestHeaders: { A: "\${env:HEADER}" } }
statusPages:
  one: { name: One, customDomain: "\${env:DOMAIN}" }
webhookEndpoints:
  private: { url: "\${env:ENDPOINT}" }
`

test('what the API refuses is named without its value, in every format', async () => {
  const { key } = await bench.product.createOrganization()
  const file = bench.write('upvane.yaml', FILE)
  const saved = bench.path('plan.json')
  const runs = [
    ['validate'],
    ['validate', '--json'],
    ['plan'],
    ['plan', '--json'],
    ['plan', '--format', 'markdown'],
    ['plan', '-o', saved],
    ['apply', '--yes'],
    ['apply', '--yes', '--json'],
    ['plan', '--format', 'markdown'],
    ['adopt', 'monitors.private', 'mon_0'],
  ]
  const outputs: string[] = []
  for (const args of runs) {
    const { code, stdout, stderr } = await bench.upv(key, [...args, '-f', file], ENV)
    if (args[0] === 'apply') {
      assert.equal(code, 1, stderr)
      assert.match(stderr, /contacts\.pager: failed: .*32 letters/)
      assert.match(stderr, /monitors\.header: failed: .*HTTP cannot carry/)
      assert.match(stderr, /webhookEndpoints\.private: failed: /)
    }
    outputs.push(stdout, stderr)
  }
  outputs.push(readFileSync(saved, 'utf8'))
  const all = outputs.join('\n')
  assert.ok(all.length > 2_000)
  assert.ok(!all.includes('planted'), around(all, 'planted'))
  assert.ok(!all.includes(key))
})

test('JSON that is printed has nothing that a terminal obeys', async () => {
  const { key } = await bench.product.createOrganization()
  const name = 'Shop \u202egnp.exe\u200b'
  const file = bench.write(
    'bidi.yaml',
    `version: 1\nsource: bidi\nmonitors: { shop: { name: ${JSON.stringify(name)}, type: PORT, host: example.com, port: 443 } }\n`,
  )
  const saved = bench.path('bidi-plan.json')
  for (const args of [
    ['validate', '--json'],
    ['plan', '--json', '-o', saved],
    ['apply', '--yes', '--json'],
  ]) {
    const { code, stdout, stderr } = await bench.upv(key, [...args, '-f', file])
    assert.equal(code, 0, stderr)
    assert.ok(!/[\u202e\u200b]/.test(stdout), JSON.stringify(stdout))
    const json = JSON.stringify(JSON.parse(stdout))
    if (args[0] === 'plan') assert.ok(json.includes(name), 'the same meaning')
  }
  assert.ok(!/[\u202e\u200b]/.test(readFileSync(saved, 'utf8')))
})

function around(text: string, part: string): string {
  return text.slice(Math.max(0, text.indexOf(part) - 200)).slice(0, 400)
}

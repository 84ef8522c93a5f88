// Webhooks cannot reach internal addresses: not by a plain address, an alias, a redirect, or a name whose answers
// change between deliveries. If the operator allows these addresses, all but the redirect work.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import { startDnsServer } from '../../../test/kit/targets/dns-server.ts'
import { canUseNamespaces, isInside, runInNamespace } from '../../../test/kit/targets/namespace.ts'
import {
  EVERY_ADDRESS,
  FORBIDDEN,
  inUrl,
  openVictims,
  type Trick,
  trickName,
  trickScript,
  VICTIM_SETUP,
  type Victims,
} from '../../../test/kit/targets/victims.ts'
import { sendWebhook } from '../../channels/webhook.ts'
import { createOutbound } from '../../outbound/create-outbound.ts'
import { WebhookClient } from '../../outbound/webhook-client.ts'

// Nothing here is silent: all vectors at once take as long as the machine needs.
const DEADLINE_MS = 30_000
const SECRETS = [{ secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}`, rotatedAt: null }]

if (!isInside()) {
  const skip = !canUseNamespaces() && 'needs root and network namespaces'
  test('inside a namespace of its own', { skip }, () => {
    const { passed, failed, output } = runInNamespace(import.meta.filename, VICTIM_SETUP)
    assert.deepEqual([failed, passed > 0], [0, true], output)
  })
} else runInside()

type Send = (url: string) => Promise<string>

function runInside(): void {
  let victims: Victims
  before(async () => {
    victims = await openVictims()
  })
  after(() => victims.close())

  /** The returned function sends one event and returns the outcome. */
  async function openSender(t: TestContext, allowCidrs: readonly string[]): Promise<Send> {
    const dns = await startDnsServer(trickScript())
    const { guard } = createOutbound({
      allowCidrs,
      dnsServers: [dns.address],
      extraCas: [victims.root],
      userAgent: 'Upvane/test',
    })
    const client = new WebhookClient({ guard, allowHttp: true })
    t.after(async () => {
      dns.close()
      await client.close()
    })
    return async (url) => {
      const message = { endpointId: url, eventId: randomUUID(), body: '{}', sentAt: new Date() }
      const sent = await sendWebhook(client, { ...message, url, secrets: SECRETS }, DEADLINE_MS)
      return sent.errorCode === 'BAD_STATUS' ? `${sent.responseStatus}` : (sent.errorCode ?? 'OK')
    }
  }

  const secure = (host: string, path = '') => `https://${inUrl(host)}:${victims.securePort}/${path}`
  const plain = (host: string) => `http://${inUrl(host)}:${victims.port}/`

  async function everyVector(send: Send, expected: 'OK' | 'TARGET_NOT_ALLOWED'): Promise<number> {
    const outcomes = await Promise.all(
      FORBIDDEN.map(async (address) => {
        const named = (trick: Trick) => secure(trickName(trick, address, `${expected}-hook`))
        assert.equal(await send(named('FLIP')), 'OK', `${address}, before its name changes`)
        const to = `to/${encodeURIComponent(plain(address))}`
        const door = secure(trickName('PUBLIC', address, `${expected}-door`), to)
        assert.equal(await send(door), '302', `${address} by a redirect`)
        return [
          [`${address} rebound`, await send(named('FLIP'))],
          [`${address} mixed`, await send(named('MIXED'))],
          [`${address} split`, await send(named('SPLIT'))],
          [`${address} alias`, await send(named('ALIAS'))],
          [`${address} over HTTP`, await send(plain(address))],
        ] as const
      }),
    )
    for (const [vector, outcome] of outcomes.flat()) assert.equal(outcome, expected, vector)
    return outcomes.flat().length + FORBIDDEN.length
  }

  test('none of them reaches a forbidden address', async (t) => {
    const send = await openSender(t, [])
    const vectors = await everyVector(send, 'TARGET_NOT_ALLOWED')
    for (const address of FORBIDDEN)
      assert.equal(await send(secure(address)), 'TARGET_NOT_ALLOWED', address)
    t.diagnostic(`${vectors + FORBIDDEN.length} vectors to ${FORBIDDEN.length} addresses`)
    assert.deepEqual(victims.connections, [])
    assert.equal(victims.packets(), 0)
  })

  test('an allow-list opens all of them, and a redirect is still not followed', async (t) => {
    const send = await openSender(t, EVERY_ADDRESS)
    const before = victims.connections.length
    await everyVector(send, 'OK')
    // At least through the rebound name, the alias, and the plain address.
    assert.ok(victims.connections.length - before >= 3 * FORBIDDEN.length)
  })
}

// Organization settings: keys, endpoints, contacts, windows and the name, each by mouse and by keyboard only.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertSoundOnce } from '../fixture.ts'
import { atFocus, INPUT_METHODS, type InputMethod } from '../input-methods.ts'
import { linkFor, type Shared, until } from '../shared.ts'

const SEARCH = 'Search by object, field, person or id'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** What an assistant that connects with this key may use. */
async function listTools(baseUrl: string, key: string): Promise<unknown[]> {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const { result } = (await response.json()) as { result: { tools: unknown[] } }
  return result.tools
}

async function keepSecret(page: Page, hand: InputMethod): Promise<void> {
  await hand.tick(page.getByLabel("I've saved it"))
  await hand.press(button(page, 'Done'))
  await page.locator('[role=dialog]:not(.toast)').waitFor({ state: 'detached' })
}

export function testOrganization(shared: Shared): void {
  for (const hand of INPUT_METHODS) {
    test(`key: made, works, is revoked and refused ${hand.name}`, async () => {
      const { fixture } = shared
      const { page, wrong, close } = await fixture.open(fixture.orgId, 'ADMIN', '/api-keys')
      const name = `Deploy ${hand.name}`
      await hand.press(page.getByRole('button', { name: 'New key' }))
      await hand.write(page.getByLabel('Name'), name)
      await hand.press(button(page, 'Create key'))
      const key = (await page.getByLabel('Secret key').textContent()) ?? ''
      const ask = () =>
        fetch(`${fixture.service.baseUrl}/api/v1/monitors`, { headers: { 'X-API-Key': key } })
      assert.equal((await ask()).status, 200)
      await keepSecret(page, hand)

      const tools = async () => (await listTools(fixture.service.baseUrl, key)).length
      assert.equal(await tools(), 10)
      await hand.press(button(page, `More for ${name}`))
      await hand.press(page.getByRole('menuitem', { name: 'Let assistants change things' }))
      await page.getByText(`${name} updated`).waitFor()
      assert.equal(await tools(), 17)

      await hand.press(button(page, `More for ${name}`))
      await hand.press(page.getByRole('menuitem', { name: 'Revoke…' }))
      await hand.press(button(page, 'Revoke key'))
      await page.getByText(`${name} revoked`).waitFor()
      assert.equal((await ask()).status, 401)
      // Its row is gone, and with it the focused element.
      await button(page, `More for ${name}`).waitFor({ state: 'detached' })
      await atFocus(page.locator('main, main *'))
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`key for an assistant: made with the mark, loses it ${hand.name}`, async () => {
      const { fixture } = shared
      const { page, wrong, close } = await fixture.open(fixture.orgId, 'ADMIN', '/api-keys')
      const name = `Assistant ${hand.name}`
      await hand.press(page.getByRole('button', { name: 'New key' }))
      await hand.write(page.getByLabel('Name'), name)
      await hand.tick(page.getByRole('checkbox', { name: /^Let assistants change things/ }))
      await assertSoundOnce(page, hand)
      await hand.press(button(page, 'Create key'))
      const key = (await page.getByLabel('Secret key').textContent()) ?? ''
      const tools = async () => (await listTools(fixture.service.baseUrl, key)).length
      assert.equal(await tools(), 17)
      await keepSecret(page, hand)

      const mark = page.getByRole('row', { name }).getByText('assistants can change things')
      await mark.waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(button(page, `More for ${name}`))
      await hand.press(page.getByRole('menuitem', { name: 'Let assistants only read' }))
      await mark.waitFor({ state: 'detached' })
      assert.equal(await tools(), 10)
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`endpoint: made, tested, replayed, given a new secret ${hand.name}`, async () => {
      const { fixture, out } = shared
      const receiver = out.web.page({ body: '{"received":true}' })
      const { page, wrong, close } = await fixture.open(fixture.orgId, 'MEMBER', '/webhooks/new')
      await hand.write(page.getByLabel('URL'), 'https://')
      await hand.press(button(page, 'Send test'))
      await page.getByText('Check 1 field').waitFor()
      await hand.write(page.getByLabel('URL'), receiver.url)
      await hand.press(button(page, 'Send test'))
      await page.getByText(/^Test delivered in/).waitFor()
      await assertSoundOnce(page, hand)
      await until('the test before saving', () => receiver.seen.pop())
      await hand.press(button(page, 'Create endpoint'))
      await keepSecret(page, hand)
      const card = page.locator('.card', { hasText: receiver.url }).first()
      await hand.press(card.getByRole('button', { name: 'Test', exact: true }))
      await page.getByText('Response 200').waitFor()
      await hand.press(button(page, 'Send again'))
      await page.getByText('sent manually').waitFor()
      await until('the second attempt', () => receiver.seen[1])
      assert.equal(receiver.seen[0]?.headers['webhook-id'], receiver.seen[1]?.headers['webhook-id'])

      await hand.press(button(page, `More for ${receiver.url}`))
      await hand.press(page.getByRole('menuitem', { name: 'Rotate secret…' }))
      await hand.press(button(page, 'Rotate secret'))
      await keepSecret(page, hand)
      await card.getByText('both valid until').waitFor()
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`contact: made, confirmed by its owner, tested and heard ${hand.name}`, async () => {
      const { fixture, out } = shared
      const address = `${hand.name.replaceAll(' ', '-')}@example.com`
      const { page, wrong, close } = await fixture.open(
        fixture.orgId,
        'ADMIN',
        '/alert-contacts/new',
      )
      await hand.write(page.getByLabel('Name'), `Team ${hand.name}`)
      await hand.write(page.getByLabel('Email address'), address)
      await hand.press(button(page, 'Send test'))
      await page.getByText('Save the contact first.').waitFor()
      assert.deepEqual(out.mail.to(address), [], 'nothing is sent before its owner agrees')
      await hand.press(button(page, 'Create contact'))
      await page.waitForURL(/\/alert-contacts(\?|$)/)
      const row = page.getByRole('row').filter({ hasText: `Team ${hand.name}` })
      await row.getByText('Unconfirmed').waitFor()
      await hand.press(button(page, `Resend email to Team ${hand.name}`))
      await page.getByText(`Confirmation email sent to ${address}`).waitFor()
      await until('the second email', () => out.mail.to(address)[1])

      const owner = await fixture.openStranger(await linkFor(out, address, 'confirm-contact'))
      await owner.page.getByRole('heading', { name: 'Receive alerts from Demo?' }).waitFor()
      await hand.press(button(owner.page, 'Confirm address'))
      await owner.page.getByRole('heading', { name: 'Address confirmed' }).waitFor()
      assert.deepEqual(owner.wrong, [])
      await owner.close()
      const late = await fixture.openStranger(await linkFor(out, address, 'confirm-contact'))
      await late.page.getByRole('heading', { name: 'This link has expired' }).waitFor()
      await late.close()

      await page.reload()
      await hand.press(button(page, `Test Team ${hand.name}`))
      await until('the test', () => out.mail.to(address)[2])
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`window: planned, started at once, extended and ended ${hand.name}`, async () => {
      const { fixture } = shared
      const name = `Kernel ${hand.name}`
      const { page, wrong, close } = await fixture.open(fixture.orgId, 'MEMBER', '/maintenance/new')
      await hand.write(page.getByLabel('Name'), name)
      await hand.tick(page.getByRole('switch', { name: /All monitors/ }))
      await hand.press(button(page, 'Schedule'))
      await hand.press(button(page, 'Start now'))
      await page.getByText(`${name} started`).waitFor()
      await hand.press(button(page, '30 min'))
      await page.getByText('left (1 h 30 min in total)').waitFor()
      await hand.press(button(page, 'End now'))
      await page.getByText(`${name} ended`).waitFor()
      await atFocus(page.locator('main, main *'))
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`audit log: found, opened with old and new values, followed to its object ${hand.name}`, async () => {
      const { fixture } = shared
      const { id, api } = await fixture.createOrganization()
      const created = await api.post('/monitors', { name: 'Job health', type: 'CRON' })
      const monitor = created.json as { id: string }
      await api.patch(`/monitors/${monitor.id}`, { name: 'Job', graceSeconds: 120 })
      await api.post('/monitors', { name: 'Other', type: 'CRON' })
      const { page, wrong, close } = await fixture.open(id, 'ADMIN', '/audit-log')
      await page.getByText('Created monitor Other').waitFor()
      await hand.write(page.getByLabel(SEARCH), 'grace period')
      await page.getByText('Created monitor Other').waitFor({ state: 'detached' })
      await page.getByText('Updated name and grace period of').waitFor()
      await hand.write(page.getByLabel(SEARCH), 'job')
      await page.getByText('Created monitor Job health').waitFor()
      const row = page.getByRole('row').filter({ hasText: 'Updated name and grace period of Job' })
      assert.equal(await page.getByText(monitor.id).count(), 0, 'ids only in the opened row')
      await hand.press(row.getByRole('button', { name: /^Details of/ }))
      await page.getByText(monitor.id).waitFor()
      const values = await page.locator('.audit-detail :is(del, ins)').allInnerTexts()
      assert.deepEqual(values.slice(0, 2), ['Job health', 'Job'])
      await hand.choose(page.getByLabel('Action'), 'createKey')
      await page.getByText('No entries match these filters.').waitFor()
      await hand.choose(page.getByLabel('Action'), 'updateMonitor')
      await hand.press(page.getByRole('link', { name: 'Job', exact: true }).first())
      await page.waitForURL(`**/monitors/${monitor.id}`)
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`forms: each field says in a sentence what is wrong, and a summary how many ${hand.name}`, async () => {
      const { fixture } = shared
      const { page, close } = await fixture.open(fixture.orgId, 'ADMIN', '/maintenance/new')
      const summary = page.getByRole('alert').filter({ hasText: 'Nothing was saved.' })
      await hand.press(button(page, 'Schedule'))
      await page.getByText('Enter a name.').waitFor()
      await summary.waitFor()
      await atFocus(page.getByLabel('Name'))
      await hand.write(page.getByLabel('Name'), 'Kernel')
      const ends = page.getByLabel('Ends', { exact: true })
      await hand.write(ends, 'soon')
      await hand.press(button(page, 'Schedule'))
      await page.getByText('Enter a date and time, like').waitFor()
      await hand.write(ends, 'Jan 1, 2026, 10:00')
      await hand.press(button(page, 'Schedule'))
      await page.getByText('The end must be after the start.').waitFor()
      assert.equal(await ends.inputValue(), 'Thu, Jan 1, 2026, 10:00')

      await page.goto('/alert-contacts/new')
      await hand.write(page.getByLabel('Name', { exact: true }), 'Pager')
      await hand.press(button(page, 'Create contact'))
      await page.getByText('Enter an email address.').waitFor()
      await page.goto('/webhooks/new')
      await hand.write(page.getByLabel('URL'), 'http://example.com/')
      await hand.press(button(page, 'Create endpoint'))
      await page.getByText('Start with https://.').waitFor()
      await page.goto('/api-keys?new=1')
      await hand.press(button(page, 'Create key'))
      await page.getByText('Enter a name.').waitFor()
      await summary.waitFor()
      await close()
    })

    test(`settings: the home region is chosen ${hand.name}`, async () => {
      const { fixture } = shared
      const { id } = await fixture.createOrganization()
      await fixture.db.run(`insert into regions (name) values ('eu-west') on conflict do nothing`)
      await fixture.db.run(
        `insert into probes (region, name, version, late_ms, last_seen_at)
         values ('eu-west', 'eu-west-1', '0.2.0', 12, now())
         on conflict (region, name) do update set last_seen_at = now()`,
      )
      const { page, wrong, close } = await fixture.open(id, 'OWNER', '/settings')
      await page.getByText('12 ms late').waitFor()
      await hand.choose(page.getByLabel('Home region'), 'eu-west')
      await hand.press(button(page, 'Save home region'))
      await page.getByText('Home region saved').waitFor()
      await page.reload()
      await page.getByText('eu-west-1').waitFor()
      assert.equal(await page.getByLabel('Home region').inputValue(), 'eu-west')
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`settings: renamed, everything taken along ${hand.name}`, async () => {
      const { fixture } = shared
      const { id } = await fixture.createOrganization()
      const { page, wrong, close } = await fixture.open(id, 'OWNER', '/settings')
      await hand.write(page.getByLabel('Name', { exact: true }), `Acme ${hand.name}`)
      await hand.press(button(page, 'Save name'))
      await page.getByText('Organization renamed').waitFor()
      await page.getByRole('button', { name: new RegExp(`Acme ${hand.name}`) }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        hand.press(page.getByRole('link', { name: 'Export everything' })),
      ])
      assert.match(await readFile(await download.path(), 'utf8'), new RegExp(`Acme ${hand.name}`))
      assert.deepEqual(wrong, [])
      await close()
    })
  }
}

// Monitors: each type created by its form, changed, cloned, put into maintenance, deleted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTeam, type Team } from '../../private/screens.ts'
import type { ExternalServices } from '../external-services.ts'
import { assertSoundOnce } from '../fixture.ts'
import { atFocus, INPUT_METHODS, type InputMethod } from '../input-methods.ts'
import type { Shared } from '../shared.ts'

// Changes between the page's first read and its stream appear with the next read, half a minute later.
const LIVE = { timeout: 45_000 }

type Filling = { write?: Record<string, string>; choose?: Record<string, string> }

/** What is typed for each type, besides its name; each target responds. */
function fillings({ web, secure }: ExternalServices): Record<string, Filling> {
  return {
    HTTP: { write: { URL: web.page({ body: 'fine' }).url } },
    Keyword: {
      write: { URL: web.page({ body: 'all is well' }).url, Keyword: 'is well' },
      choose: { Method: 'POST' },
    },
    Ping: { write: { Host: '127.0.0.1' } },
    Port: { write: { Host: '127.0.0.1', Port: String(web.port) } },
    Cron: { write: { 'Grace period': '1' }, choose: { 'Expect a ping every': '3600' } },
    DNS: { write: { Hostname: 'named.test', 'Expected values optional': '127.0.0.1' } },
    SSL: { write: { Host: `secure.test:${secure.port}` } },
    Domain: { write: { Domain: 'registered.com' } },
  }
}

/** Who issued what these watch, as their pages say it. */
const ISSUERS: Readonly<Record<string, string>> = {
  SSL: 'issued by Example Trust',
  Domain: 'registered at Example Registrar, Inc.',
}

async function fillForm(
  page: Page,
  hand: InputMethod,
  type: string,
  filling: Filling,
): Promise<void> {
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await hand.tick(page.getByRole('radio', { name: new RegExp(`^${type}`) }))
  await hand.write(field('Name'), `${type} ${hand.name}`)
  for (const [label, value] of Object.entries(filling.choose ?? {}))
    await hand.choose(field(label), value)
  for (const [label, text] of Object.entries(filling.write ?? {}))
    await hand.write(field(label), text)
}

export function testMonitors(shared: Shared): void {
  let team: Team

  for (const hand of INPUT_METHODS)
    test(`monitors: one of each type ${hand.name}, all green at their first check`, async () => {
      const { fixture, out } = shared
      team ??= await createTeam(fixture)
      const { page, wrong, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors')
      const all = Object.entries(fillings(out))
      for (const [type, filling] of all) {
        await hand.press(page.getByRole('link', { name: /New monitor/ }).first())
        await fillForm(page, hand, type, filling)
        await hand.press(page.getByRole('button', { name: 'Create monitor' }))
        await page.getByRole('heading', { level: 1, name: `${type} ${hand.name}` }).waitFor()
        if (type === 'Cron') {
          await page.getByText('Waiting for the first ping.').first().waitFor()
          await fetch((await page.getByLabel('Ping URL').textContent()) ?? '')
        }
        const issuer = ISSUERS[type]
        if (issuer !== undefined) await page.getByText(issuer, { exact: true }).waitFor(LIVE)
        await hand.press(
          page
            .getByRole('navigation', { name: 'Breadcrumb' })
            .getByRole('link', { name: 'Monitors' }),
        )
      }
      await page.goto(`/monitors?q=${encodeURIComponent(hand.name)}&state=UP`)
      await page
        .locator('tbody tr')
        .nth(all.length - 1)
        .waitFor(LIVE)
      assert.deepEqual(wrong, [])
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`monitor form: checked before it is saved, problems at their fields, ${hand.name}`, async () => {
      const { fixture, out } = shared
      team ??= await createTeam(fixture)
      const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors/new')
      const url = page.getByLabel('URL', { exact: true })
      const name = page.getByLabel('Name', { exact: true })
      const create = page.getByRole('button', { name: 'Create monitor' })
      const invalid = page.locator('[aria-invalid]')
      await atFocus(url)
      await hand.press(create)
      await page.getByRole('alert').getByText('Check 2 fields.').waitFor()
      for (const sentence of ['Enter a URL.', 'Enter a name.'])
        await page.getByText(sentence).waitFor()
      await atFocus(url.and(invalid))

      const target = out.web.page({ status: 503, body: 'no' })
      await hand.write(url, target.url)
      assert.equal(await name.inputValue(), '127.0.0.1', 'guessed from the host')
      await hand.press(page.getByRole('button', { name: /^Test/ }))
      await page.getByText(/This would be reported as down: HTTP 503/).waitFor()
      await hand.write(page.getByLabel('Timeout'), '4000')
      await hand.write(url, 'ftp://shop.example.com')
      await hand.press(create)
      await page.getByRole('alert').getByText('Check 2 fields.').waitFor()
      for (const sentence of ['Start with https:// or http://.', 'Use at most 60 seconds.'])
        await page.getByText(sentence).waitFor()
      for (const field of [url, page.getByLabel('Timeout')]) await field.and(invalid).waitFor()
      await page.locator(':focus[aria-invalid]').waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(page.getByRole('button', { name: 'https://shop.example.com' }))
      assert.equal(await url.inputValue(), 'https://shop.example.com')
      await hand.write(url, 'api.example.com')
      await hand.write(page.getByLabel('Timeout'), '4')
      assert.equal(await url.inputValue(), 'https://api.example.com', 'the scheme is added')
      assert.equal(await name.inputValue(), 'api.example.com')
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`monitor: edited with its alert contacts, cloned, checked, paused and deleted ${hand.name}`, async () => {
      const { fixture, out } = shared
      team ??= await createTeam(fixture)
      const name = `Shop ${hand.name}`
      const monitor = await team.createMonitor({ name, type: 'HTTP', url: out.web.page({}).url })
      const contact = `Pager ${hand.name}`
      const made = await team.owner.post(`/organizations/${team.orgId}/alert-contacts`, {
        name: contact,
        channel: 'EMAIL',
        settings: { address: 'ops@example.com' },
      })
      assert.equal(made.status, 201, made.text)
      const { page, wrong, close } = await fixture.open(
        team.orgId,
        'ADMIN',
        `/monitors/${monitor.id}`,
      )
      await hand.press(page.getByRole('link', { name: 'Edit' }))
      await hand.write(page.getByLabel('Name', { exact: true }), `${name} again`)
      const contactBox = page.getByRole('checkbox', { name: new RegExp(contact) })
      assert.equal(await contactBox.isChecked(), true)
      await hand.tick(contactBox, false)
      await hand.press(page.getByRole('button', { name: 'Save changes' }))
      await page.getByRole('heading', { level: 1, name: `${name} again` }).waitFor()
      const screen = await team.read('monitor', `/overview/monitors/${monitor.id}`)
      assert.equal(
        screen.contacts.some((one) => one.name === contact),
        false,
      )

      await hand.press(page.getByRole('button', { name: 'Check now' }))
      await page.getByText('Checked: up').waitFor()
      await hand.press(page.getByRole('button', { name: 'More' }))
      assert.equal(await page.getByRole('menuitem', { name: 'Edit' }).count(), 0)
      await hand.press(page.getByRole('menuitem', { name: 'Maintenance…' }))
      await hand.choose(page.getByLabel('Duration', { exact: true }), '30')
      await hand.press(page.getByRole('button', { name: 'Start maintenance' }))
      await page.getByText('In maintenance.').waitFor()
      await hand.press(page.getByRole('button', { name: 'Pause' }))
      await page.getByRole('button', { name: 'Resume' }).waitFor()
      await hand.press(page.getByRole('button', { name: 'More' }))
      await hand.press(page.getByRole('menuitem', { name: 'Clone' }))
      const copy = page.getByLabel('Name', { exact: true })
      await copy.waitFor()
      assert.equal(await copy.inputValue(), `${name} again (copy)`)
      await hand.press(page.getByRole('button', { name: 'Create monitor' }))
      await page.getByRole('heading', { level: 1, name: `${name} again (copy)` }).waitFor()
      await hand.press(page.getByRole('button', { name: 'More' }))
      await hand.press(page.getByRole('menuitem', { name: 'Delete…' }))
      await hand.press(page.getByRole('button', { name: 'Delete monitor' }))
      await page.waitForURL('**/monitors')
      await atFocus(page.getByRole('main'))
      await page.getByRole('link', { name: `${name} again`, exact: true }).waitFor()
      assert.equal(await page.getByRole('link', { name: `${name} again (copy)` }).count(), 0)
      assert.deepEqual(wrong, [])
      await close()
    })
}

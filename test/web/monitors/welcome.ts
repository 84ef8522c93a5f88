// The first steps of an organization, with page reloads and network failures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { atFocus, INPUT_METHODS } from '../input-methods.ts'
import { type Shared, until } from '../shared.ts'

export function testWelcome(shared: Shared): void {
  for (const hand of INPUT_METHODS)
    test(`welcome: checks the URL that was typed on the empty list, but none from a link ${hand.name}`, async () => {
      const { fixture, out } = shared
      const { url } = out.web.page({ body: 'fine' })
      const { id } = await fixture.createOrganization()
      const { person } = await fixture.join(id, 'OWNER')
      const { page, wrong, close } = await fixture.openAs(person, '/monitors')
      await atFocus(page.getByLabel('URL', { exact: true }))
      await hand.write(page.getByLabel('URL', { exact: true }), url)
      await hand.press(page.getByRole('button', { name: 'Add your first monitor' }))
      await page.waitForURL('**/welcome?*')
      const field = page.getByRole('listitem').getByLabel('URL')
      await atFocus(field)
      assert.equal(await field.inputValue(), url)
      await page.getByRole('button', { name: 'Monitor it every minute' }).waitFor()
      await page.goto(`/welcome?step=monitor&url=${encodeURIComponent(url)}`)
      await page.getByRole('button', { name: 'Check it' }).waitFor()
      assert.equal(await field.inputValue(), url)
      assert.equal(await page.getByRole('button', { name: 'Monitor it every minute' }).count(), 0)
      assert.deepEqual(wrong, [])
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`welcome: comes back to where the person was, and makes one contact however often it is tried ${hand.name}`, async () => {
      const { fixture, out } = shared
      const { id } = await fixture.createOrganization()
      const { person, visitor } = await fixture.join(id, 'OWNER')
      const { page, close } = await fixture.openAs(person, '/welcome')
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const comesBack = async (step: string) => {
        const here = page.locator('[aria-current=step]').getByRole('heading', { name: step })
        await here.waitFor()
        await page.reload()
        await here.waitFor()
      }
      await comesBack('What should we monitor?')
      await hand.write(page.getByLabel('URL'), out.web.page({ body: 'fine' }).url)
      await hand.press(button('Check it'))
      await hand.press(button('Monitor it every minute'))
      await atFocus(page.getByLabel('Email'))
      // Also without the step in the URL: it detects what exists already.
      await page.goto('/welcome')
      await atFocus(page.getByLabel('Email'))
      await page.getByRole('listitem').getByText('127.0.0.1').waitFor()

      const address = `first-${hand.name.replaceAll(' ', '-')}@example.com`
      // Addresses of members need no confirmation.
      for (const email of [`typo-${address}`, address])
        await fixture.addMember(id, await fixture.addPerson({ email }), 'MEMBER')
      let aborted = 0
      const abort = (route: Route) => {
        aborted += 1
        return route.abort()
      }
      await page.route('**/alert-contacts/*/test', abort, { times: 2 })
      for (const [index, typed] of [`typo-${address}`, address].entries()) {
        await hand.write(page.getByLabel('Email'), typed)
        await hand.press(page.getByRole('button', { name: /^(?:Add contact|Send a test)$/ }))
        await until('the test fails', () => aborted > index || undefined)
        await page.getByRole('main').getByText("Can't reach the server.").waitFor()
      }
      await comesBack('Who should we alert?')
      assert.equal(await page.getByLabel('Email').inputValue(), address)
      await hand.press(button('Send a test'))
      await atFocus(page.getByLabel('Page name'))
      const { json } = await visitor.get(`/organizations/${id}/alert-contacts`)
      const contacts = (json as { data: { name: string; settings: object }[] }).data
      assert.deepEqual(
        contacts.map(({ name, settings }) => ({ name, settings })),
        [{ name: address, settings: { address } }],
      )
      await until('the test', () => out.mail.to(address)[0])

      await comesBack('Your status page')
      await hand.press(button('Publish'))
      await comesBack('API key')
      await hand.press(button('Create key'))
      await page.getByLabel('API key').waitFor()
      await hand.press(button("I've saved it"))
      const end = page.getByRole('link', { name: 'Go to monitors' })
      await atFocus(end)
      await page.reload()
      await atFocus(end)
      await page.getByRole('link', { name: /\/status\// }).waitFor()
      await hand.press(end)
      await page.locator('[data-row]').waitFor()
      assert.equal(new URL(page.url()).search, '', 'the step stays behind')
      await close()
    })
}

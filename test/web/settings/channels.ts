// Alert channels with a form of their own, the end of Opsgenie, and the link in an alert; by mouse and by keyboard only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertNarrow, assertSoundOnce } from '../fixture.ts'
import { INPUT_METHODS } from '../input-methods.ts'
import { linkFor, type Shared, until } from '../shared.ts'

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** An organization whose monitors and contacts may be on this machine. */
async function createOrganization({ fixture }: Shared) {
  const { id, uuid } = await fixture.createOrganization()
  await fixture.db.run('update organizations set private_targets = true where id = $1', [uuid])
  return id
}

type NewContact = {
  label: string
  texts: Record<string, string>
  choices?: Record<string, string>
  saved: { channel: string; settings: Record<string, string> }
}

/** By the labels of the form, and what the API shows afterward. */
const CONTACTS: readonly NewContact[] = [
  {
    label: 'Gotify',
    texts: { Server: 'https://gotify.example.com', 'Application token': 'AbCdEf.123456' },
    saved: {
      channel: 'GOTIFY',
      settings: { server: 'https://gotify.example.com', appToken: '••••3456' },
    },
  },
  {
    label: 'Matrix',
    texts: {
      Homeserver: 'https://matrix.example.com',
      'Room ID': '!ops:example.com',
      'Access token': 'syt_0123456789',
    },
    saved: {
      channel: 'MATRIX',
      settings: {
        server: 'https://matrix.example.com',
        roomId: '!ops:example.com',
        accessToken: '••••6789',
      },
    },
  },
  {
    label: 'Twilio',
    texts: {
      'Account SID': `AC${'0'.repeat(32)}`,
      'Auth token': 'the-token-of-twilio',
      From: '+14155550100',
      To: '+14155550101',
    },
    choices: { 'Send as': 'CALL' },
    saved: {
      channel: 'TWILIO',
      settings: {
        accountSid: `AC${'0'.repeat(32)}`,
        authToken: '••••ilio',
        means: 'CALL',
        from: '+14155550100',
        to: '+14155550101',
      },
    },
  },
  {
    label: 'GitHub issues',
    texts: { Repository: 'acme/shop', 'Access token': 'github_pat_0123456789' },
    saved: {
      channel: 'GITHUB_ISSUES',
      settings: { repository: 'acme/shop', token: '••••6789' },
    },
  },
]

export function testChannels(shared: Shared): void {
  for (const hand of INPUT_METHODS) {
    test(`custom webhook: written, refused, tested and saved ${hand.name}`, async () => {
      const receiver = shared.out.web.page({ body: 'thanks' })
      const orgId = await createOrganization(shared)
      const { page, wrong, close } = await shared.fixture.open(
        orgId,
        'ADMIN',
        '/alert-contacts/new',
      )
      await hand.tick(page.getByRole('radio', { name: 'Custom webhook', exact: true }))
      await hand.write(page.getByLabel('Name', { exact: true }), 'Chat bot')
      await hand.write(page.getByLabel('URL', { exact: true }), receiver.url)
      await hand.choose(page.getByLabel('Method'), 'PUT')
      await hand.write(page.getByLabel('Headers optional', { exact: true }), 'X-Token: abc')
      const body = page.getByLabel('Body optional', { exact: true })
      await hand.write(body, '{"text": {{title}}}')
      await hand.press(button(page, 'Send test'))
      await page.getByText('Enter valid JSON, or choose another format.').waitFor()
      await hand.write(body, '{"text": "{{title}}"}')
      await hand.press(button(page, 'Send test'))
      await page.getByText(/^Test delivered in/).waitFor()
      await assertSoundOnce(page, hand)
      const sent = await until('the test', () => receiver.seen.pop())
      assert.deepEqual(
        [sent.method, sent.headers['x-token'], JSON.parse(sent.body)],
        ['PUT', 'abc', { text: 'Test alert for Chat bot' }],
      )
      await hand.press(button(page, 'Create contact'))
      await page.getByRole('row').filter({ hasText: 'Chat bot' }).waitFor()
      await hand.press(button(page, 'Test Chat bot'))
      await until('the second test', () => receiver.seen.pop())
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`new channels: contacts are created by their own fields ${hand.name}`, async () => {
      const { id: orgId } = await shared.fixture.createOrganization()
      const { visitor } = await shared.fixture.join(orgId, 'ADMIN')
      const { page, wrong, close } = await shared.fixture.open(orgId, 'ADMIN', '/alert-contacts')
      for (const { label, texts, choices = {} } of CONTACTS) {
        await page.goto('/alert-contacts/new')
        await hand.tick(page.getByRole('radio', { name: label, exact: true }))
        await hand.write(page.getByLabel('Name', { exact: true }), label)
        for (const [field, text] of Object.entries(texts))
          await hand.write(page.getByLabel(field, { exact: true }), text)
        for (const [field, choice] of Object.entries(choices))
          await hand.choose(page.getByLabel(field, { exact: true }), choice)
        await assertSoundOnce(page, hand, label)
        await hand.press(button(page, 'Create contact'))
        await page.getByRole('row').filter({ hasText: label }).waitFor()
      }
      const { json } = await visitor.get(`/organizations/${orgId}/alert-contacts`)
      const { data } = json as { data: Record<string, unknown>[] }
      for (const { label, saved } of CONTACTS) {
        const { channel, settings } = data.find(({ name }) => name === label) ?? {}
        assert.deepEqual({ channel, settings }, saved)
      }
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`Apprise URL: pasted, it fills in the form ${hand.name}`, async () => {
      const { fixture } = shared
      const { page, wrong, close } = await fixture.open(
        fixture.orgId,
        'ADMIN',
        '/alert-contacts/new',
      )
      const pasted = page.getByLabel('Apprise URL optional', { exact: true })
      await hand.write(pasted, 'mailto://user:pass@example.com')
      await page.getByText('There is no channel for this URL.').waitFor()
      await hand.write(pasted, 'tgram://123456789:AbCd_e/-1001234')
      await page.getByText('Filled in from the URL: Telegram').waitFor()
      assert.ok(await page.getByRole('radio', { name: 'Telegram', exact: true }).isChecked())
      assert.equal(await page.getByLabel('Bot token').inputValue(), '123456789:AbCd_e')
      assert.equal(await page.getByLabel('Chat ID').inputValue(), '-1001234')
      assert.equal(await pasted.inputValue(), '', 'it is not kept')
      await assertSoundOnce(page, hand)
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`Opsgenie: its contact says when it ends, and moves ${hand.name}`, async () => {
      const { fixture } = shared
      const { id: orgId } = await fixture.createOrganization()
      const { visitor } = await fixture.join(orgId, 'ADMIN')
      const made = await visitor.post(`/organizations/${orgId}/alert-contacts`, {
        name: 'Old pager',
        channel: 'OPSGENIE',
        settings: { apiKey: 'the-key-of-opsgenie', region: 'EU' },
        delayMinutes: 5,
      })
      assert.equal(made.status, 201, made.text)
      const { id } = made.json as { id: string }
      const { page, wrong, close } = await fixture.open(orgId, 'ADMIN', '/alert-contacts')
      await page.getByText('Opsgenie shuts down on 5 April 2027.').waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(button(page, 'Open Old pager'))
      await hand.press(button(page, 'Move from Opsgenie…'))
      await hand.write(page.getByLabel('API key optional', { exact: true }), 'a b')
      await hand.press(button(page, 'Move contact'))
      await page.getByText('Remove spaces and special characters.').waitFor()
      await hand.write(page.getByLabel('API key optional', { exact: true }), 'the-new-key-of-jira')
      await hand.press(button(page, 'Move contact'))
      await page.getByText('Old pager moved to Jira Service Management').waitFor()
      await page.getByText('Opsgenie shuts down on 5 April 2027.').waitFor({ state: 'detached' })
      const { json } = await visitor.get(`/organizations/${orgId}/alert-contacts/${id}`)
      const { channel, settings, delayMinutes } = json as Record<string, unknown>
      assert.deepEqual(
        [channel, settings, delayMinutes],
        ['JIRA_SERVICE_MANAGEMENT', { apiKey: '••••jira' }, 5],
      )
      const again = await visitor.post(`/organizations/${orgId}/alert-contacts/${id}/move`, {})
      assert.equal(again.status, 409)
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`link in an alert: opened by somebody without an account, and acknowledged ${hand.name}`, async () => {
      const { fixture, out } = shared
      const orgId = await createOrganization(shared)
      const { person, visitor } = await fixture.join(orgId, 'ADMIN')
      const path = `/organizations/${orgId}`
      const contact = { name: 'Night shift', channel: 'EMAIL', settings: { address: person.email } }
      const made = await visitor.post(`${path}/alert-contacts`, contact)
      assert.equal(made.status, 201, made.text)
      const target = out.web.page({ status: 503 })
      // As long as a name may be, without a place to break it, and with markup.
      const name = `<b>${'Checkout'.repeat(14)}`
      const monitor = { name, type: 'HTTP', url: target.url, intervalSeconds: 86_400 }
      const created = await visitor.post(`${path}/monitors`, monitor)
      assert.equal(created.status, 201, created.text)

      const link = await linkFor(out, person.email, 'acknowledge')
      const reader = await fixture.openStranger(link)
      await reader.page.getByRole('heading', { name: `${name} is down` }).waitFor()
      await assertSoundOnce(reader.page, hand)
      await reader.page.setViewportSize({ width: 390, height: 844 })
      await assertNarrow(reader.page, 'the link on a phone')
      assert.ok(!reader.page.url().includes('#'), 'the token is not in the address bar')
      await hand.press(button(reader.page, 'Acknowledge'))
      await reader.page.getByRole('heading', { name: `${name}: acknowledged` }).waitFor()
      await reader.page.getByText('Acknowledged by Night shift.').waitFor()
      assert.deepEqual(reader.wrong, [])
      await reader.close()

      const second = await fixture.openStranger(link)
      await second.page.getByText('Acknowledged by Night shift.').waitFor()
      await second.close()
      const { id } = created.json as { id: string }
      // Pausing ends the incident, and the link with it.
      assert.equal((await visitor.post(`${path}/monitors/${id}/pause`, {})).status, 200)
      const over = await fixture.openStranger(link)
      await over.page.getByRole('heading', { name: `${name}: resolved` }).waitFor()
      await over.page.getByText(/^Started .* and resolved .*, at /).waitFor()
      await over.page
        .getByText(/^Acknowledged by Night shift, \w{3}, \w{3} \d+, \d\d:\d\d /)
        .waitFor()
      assert.equal(await button(over.page, 'Acknowledge').count(), 0)
      await assertSoundOnce(over.page, hand)
      await over.page.setViewportSize({ width: 390, height: 844 })
      await assertNarrow(over.page, 'the ended link on a phone')
      await over.page.getByRole('link', { name: 'Open Upvane' }).waitFor()
      assert.deepEqual(over.wrong, [])
      await over.close()
      const late = await fixture.openStranger('/acknowledge#AAAA')
      await late.page.getByRole('heading', { name: 'This link has expired' }).waitFor()
      assert.equal(
        await late.page.getByRole('link', { name: 'Open Upvane' }).getAttribute('href'),
        '/incidents?state=ongoing',
      )
      await late.close()
      assert.equal((await visitor.delete(`${path}/monitors/${id}`)).status, 200)
    })
  }
}

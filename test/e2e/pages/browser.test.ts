// Status pages as people use them: in a browser, with and without script, by sight, screen reader and keyboard.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { acmePage, severalPage } from './acme.ts'
import { findBarriers, openPage, startBrowser } from './browser.ts'
import { type PagesFixture, startPagesFixture } from './fixture.ts'
import { PAYLOADS } from './payloads.ts'
import type { Seeded } from './world.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const SMALLEST = { viewport: { width: 320, height: 640 } }
const READERS = 4

let fixture: PagesFixture
let browser: Browser
let base: string
let acme: Seeded

before(async () => {
  fixture = await startPagesFixture({
    SMTP_URL: 'smtp://127.0.0.1:9?tls=off',
    SMTP_FROM: 'status@example.com',
  })
  base = fixture.service.baseUrl
  acme = await fixture.world.seedPage(acmePage('degraded', 'degraded'))
  await fixture.world.seedPage(acmePage('outage', 'outage'))
  await fixture.world.seedPage(severalPage('several'))
  await fixture.world.seedPage(acmePage('maintenance', 'maintenance'))
  await fixture.world.seedPage(acmePage('operational', 'operational'))
  const locked = { name: 'Locked', slug: 'locked', password: 'a good password' }
  assert.equal((await fixture.api.post('/status-pages', locked)).status, 201)
  browser = await startBrowser('shell')
})
after(async () => {
  await browser?.close()
  await fixture?.stop()
})

const TEXT = 'document.body.innerText.replace(/\\s+/g, " ")'

test('page: the same content with and without script; nothing blocks its first picture', async () => {
  const withScript = await openPage(browser, base)
  const without = await openPage(browser, base, { javaScriptEnabled: false })
  const requested: string[] = []
  withScript.page.on('request', (request) => requested.push(request.resourceType()))
  await withScript.page.goto(`${base}/status/degraded`)
  await without.page.goto(`${base}/status/degraded`)
  const texts = [await withScript.page.evaluate(TEXT), await without.page.evaluate(TEXT)]
  assert.equal(texts[0], texts[1])
  assert.match(String(texts[1]), /API responses are slow/)
  assert.equal(requested.filter((type) => type === 'stylesheet').length, 0)
  const blocking = await withScript.page.evaluate(
    'performance.getEntriesByType("resource").filter((each) => each.renderBlockingStatus === "blocking").length',
  )
  assert.equal(blocking, 0)
  assert.deepEqual([withScript.violations, withScript.outside], [[], []])
  await withScript.page.context().close()
  await without.page.context().close()
})

test('page: elsewhere in the world the page keeps its own zone, and the script adds the visitor’s time', async () => {
  const { page } = await openPage(browser, base, {
    timezoneId: 'America/New_York',
    locale: 'en-US',
  })
  await page.goto(`${base}/status/degraded`)
  const times = page.locator('time[title]')
  assert.ok((await times.count()) > 4)
  const updated = page.locator('.foot time')
  assert.match((await updated.textContent()) ?? '', /^\d\d:\d\d:\d\d (?:CET|CEST)$/)
  assert.match((await updated.getAttribute('title')) ?? '', /^\d\d:\d\d:\d\d (?:EST|EDT)$/)
  await page.context().close()
})

test('history and incident: the same day and time in both, wherever the visitor is', async () => {
  const { page } = await openPage(browser, base, { timezoneId: 'Asia/Kolkata' })
  await page.goto(`${base}/status/degraded/history`)
  assert.match((await page.locator('main').textContent()) ?? '', /Days in Europe\/Berlin/)
  const days = await page.locator('.day:has(.past)').all()
  assert.ok(days.length > 1)
  const listed: [path: string, day: string][] = []
  for (const day of days)
    for (const link of await day.locator('.past a').all())
      listed.push([(await link.getAttribute('href')) ?? '', await day.locator('h2').innerText()])
  for (const [path, day] of listed) {
    await page.goto(new URL(path.split('#')[0] ?? '', base).href)
    assert.ok(
      (await page.locator('.inc-facts dd').first().innerText()).startsWith(`${day}, `),
      path,
    )
  }
  await page.context().close()
})

test('page: what is left open refreshes itself', async () => {
  const { page, violations } = await openPage(browser, base)
  await page.clock.install()
  await page.goto(`${base}/status/operational`)
  assert.match((await page.locator('h1').textContent()) ?? '', /All systems operational/)
  await page.locator('summary', { hasText: 'Integrations' }).click()
  await page.mouse.click(5, 5)
  await fixture.db.run(
    `update monitor_states set state = 'DOWN', last_status_changed_at = now()
      where monitor_no in (select m.no from monitors m join status_page_components c on c.monitor_id = m.id
        join status_pages p on p.id = c.page_id where p.slug = 'operational' and c.name = 'Slack')`,
  )
  await page.evaluate('document.activeElement?.blur()')
  await page.waitForTimeout(1_100)
  await page.clock.fastForward(31_000)
  await page.locator('h1', { hasText: 'Slack is down' }).waitFor({ timeout: 5_000 })
  assert.ok(
    (await page.locator('details', { hasText: 'Integrations' }).getAttribute('open')) !== null,
  )
  assert.deepEqual(violations, [])
  await page.context().close()
})

test('axe: nothing serious or critical, on any page, size and theme', async () => {
  const [open, over] = acme.incidents
  const main = ['degraded', 'outage', 'maintenance', 'several'].map((slug) => `/status/${slug}`)
  const parts = ['/history', `/incidents/${open}`, `/maintenance/${acme.windows[0]}`]
  const more = [`/incidents/${over}`, '/embed', '/subscribe', '/nothing'].map(
    (part) => `/status/degraded${part}`,
  )
  const often = [...main, ...parts.map((part) => `/status/degraded${part}`)]
  const looks = [
    { look: { ...PHONE, colorScheme: 'dark' as const }, paths: often },
    {
      look: { colorScheme: 'light' as const },
      paths: [...often, ...more, '/status/operational', '/status/locked', '/status/nobody'],
    },
  ]
  const found: string[] = []
  let looked = 0
  for (const { look, paths } of looks) {
    const { page } = await openPage(browser, base, look)
    for (const path of paths) {
      await page.goto(`${base}${path}`)
      await page.evaluate(
        'for (const each of document.querySelectorAll("details")) each.open = true',
      )
      const barriers = await findBarriers(page)
      found.push(...barriers.map((line) => `${path} ${look.colorScheme}: ${line}`))
      looked += 1
    }
    await page.context().close()
  }
  assert.equal(looked, 21)
  assert.deepEqual(found, [])
})

test('keyboard: reaches every bad day and every incident, in the order of the page', async () => {
  const { page } = await openPage(browser, base)
  await page.goto(`${base}/status/degraded`)
  await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
  const wanted = await page.evaluate<string[]>(
    '[...document.querySelectorAll(".bars a, .past a, .hero a, .plan a")].map((each, i) => (each.id = `link-${i}`))',
  )
  assert.ok(wanted.length > 30, `${wanted.length} links`)
  const reached: string[] = []
  for (let i = 0; i < wanted.length + 40 && reached.length < wanted.length; i++) {
    await page.keyboard.press('Tab')
    const id = await page.evaluate<string>('document.activeElement?.id ?? ""')
    if (id.startsWith('link-')) reached.push(id)
  }
  assert.deepEqual(reached, wanted)
  const named = await page.evaluate<number>(
    '[...document.querySelectorAll(".bars a")].filter((each) => each.querySelector("title")?.textContent || each.ariaLabel).length',
  )
  assert.equal(named, await page.locator('.bars a').count())
  await page.locator('.bars a').last().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/(incidents|history)/)
  await page.context().close()
})

const DAY = /^\w{3} \d{1,2}: (?:Operational|Degraded|Down|Maintenance|No data)/

test('days: hover, focus and touch say what a day was like; a second touch opens it', async () => {
  const { page, violations } = await openPage(browser, base)
  await page.goto(`${base}/status/degraded`)
  const tip = page.locator('.tip')
  const bars = page.locator('.comp', { hasText: 'API' }).first().locator('.bars svg')
  const { width, height } = (await bars.boundingBox()) ?? { width: 0, height: 0 }
  const said = new Set<string>()
  for (let day = 0; day < 90; day++) {
    await bars.hover({ position: { x: ((day + 0.5) * width) / 90, y: height / 2 } })
    said.add((await tip.textContent()) ?? '')
  }
  assert.equal(said.size, 90, 'each day has a date of its own')
  assert.deepEqual(
    [...said].filter((text) => !DAY.test(text)),
    [],
  )
  assert.ok([...said].some((text) => / Down, \d/.test(text)))
  await page.mouse.move(5, 5)
  assert.equal(await tip.isVisible(), false)

  const bad = bars.locator('a').last()
  await bad.focus()
  assert.equal(await tip.textContent(), await bad.getAttribute('aria-label'))
  assert.equal(await tip.isVisible(), true)
  await page.keyboard.press('Escape')
  assert.equal(await tip.isVisible(), false)
  assert.deepEqual(violations, [])
  await page.context().close()

  const phone = await openPage(browser, base, { ...PHONE, hasTouch: true, isMobile: true })
  await phone.page.goto(`${base}/status/degraded`)
  const link = phone.page.locator('.comp', { hasText: 'API' }).first().locator('.bars a').last()
  const where = { position: { x: 1, y: 22 } }
  await link.tap(where)
  assert.match((await phone.page.locator('.tip').textContent()) ?? '', DAY)
  assert.ok(phone.page.url().endsWith('/status/degraded'), 'the first touch stays')
  await link.tap(where)
  await phone.page.waitForURL(/\/(incidents|history)/)
  assert.deepEqual(phone.violations, [])
  await phone.page.context().close()
})

test('subscribe: one field; components unfold when they are wanted, with and without script', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page, violations } = await openPage(browser, base, { javaScriptEnabled })
    await page.goto(`${base}/status/degraded`)
    await page.locator('summary', { hasText: 'Subscribe' }).click()
    await page.locator('.menu a', { hasText: 'Only some components' }).click()
    await page.waitForURL(/\/subscribe$/)
    assert.equal(await page.locator('header .brand bdi').textContent(), 'Acme')
    const box = page.getByRole('checkbox', { name: 'Website' })
    assert.equal(await box.isVisible(), false)
    await page.getByRole('radio', { name: 'Only some components' }).check()
    assert.equal(await box.isVisible(), true)
    await page.getByLabel('Email address').fill('ana@example.com')
    const form = page.locator('main form')
    await form.getByRole('button', { name: 'Subscribe' }).click()
    assert.match(await form.getByRole('alert').innerText(), /Choose at least one component\./)
    assert.equal(await page.getByLabel('Email address').inputValue(), 'ana@example.com')
    await box.check()
    await form.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    assert.deepEqual(violations, [])
    await page.context().close()
  }
})

test('phone: nothing moves sideways from 320 px up, whatever the names are', async () => {
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const name = `${word}${word}`.slice(0, 120)
  const seeded = await fixture.world.seedPage({
    slug: 'long',
    name,
    settings: { description: name, locale: 'de', history_days: 365 },
    sections: [
      {
        name,
        components: [{ name, description: name, state: 'DOWN' }, { name: 'شركة '.repeat(20) }],
      },
    ],
    incidents: [
      {
        title: name,
        startedMinutesAgo: 50,
        affects: { [name]: 'MAJOR_OUTAGE' },
        updates: [
          {
            status: 'IDENTIFIED',
            message: `${name}\n\n\`\`\`\n${name}${name}\n\`\`\``,
            minutesAgo: 9,
          },
        ],
      },
    ],
    windows: [{ name, description: name, startsInMinutes: 60, minutes: 3000, covers: [name] }],
  })
  const { page } = await openPage(browser, base, SMALLEST)
  const paths = [
    '',
    '/history',
    `/incidents/${seeded.incidents[0]}`,
    `/maintenance/${seeded.windows[0]}`,
  ]
  const small = ['/status/long/subscribe', '/status/long/nothing', '/status/locked']
  for (const path of [...paths.map((each) => `/status/long${each}`), ...small]) {
    await page.goto(`${base}${path}`)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 320, `${path} is ${width} px wide`)
  }
  await page.context().close()
})

test('XSS: 200 payloads in every text a tenant can write; none runs, none is even stopped', async (t) => {
  assert.equal(new Set(PAYLOADS).size, 200)
  const paths = await seedTexts(PAYLOADS)
  const faults: string[] = []
  const waiting = [...paths]
  let visited = 0
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      const { page, violations, outside } = await openPage(browser, base)
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        await page.goto(`${base}${path}`)
        visited += 1
        if (await page.evaluate('window.__xss')) faults.push(`${path} ran`)
        if (!page.url().startsWith(`${base}/status/xss-`))
          faults.push(`${path} led to ${page.url()}`)
      }
      faults.push(...violations, ...outside)
      await page.context().close()
    }),
  )
  t.diagnostic(`${visited} documents`)
  assert.equal(visited, paths.length)
  assert.deepEqual(faults, [])
})

/** Pages with ten of them in each kind of text. Returns the paths of every kind of document that shows them. */
async function seedTexts(payloads: readonly string[]): Promise<string[]> {
  const paths: string[] = []
  for (let from = 0; from < payloads.length; from += 10) {
    const some = payloads.slice(from, from + 10)
    const slug = `xss-${from}`
    const seeded = await fixture.world.seedPage({
      slug,
      name: some.slice(0, 2).join(' ').slice(0, 120),
      settings: { description: some.join(' ') },
      sections: some.map((payload) => ({
        name: payload,
        components: [{ name: payload, description: payload, state: 'DOWN', sinceDays: 1 }],
      })),
      incidents: some.map((payload) => ({
        title: payload,
        startedMinutesAgo: 10,
        affects: { [payload]: 'DEGRADED' },
        updates: [{ status: 'IDENTIFIED', message: payload, minutesAgo: 5 }],
      })),
      windows: some.map((payload) => ({
        name: payload,
        description: payload,
        startsInMinutes: 60,
        minutes: 60,
        covers: [payload],
      })),
    })
    const [component] = seeded.components.values()
    const permalinks = [`/incidents/${seeded.incidents[0]}`, `/maintenance/${seeded.windows[0]}`]
    const files = ['/embed', '/feed.atom', '/feed.rss', `/badge/${component?.id}.svg`]
    const more = from % 40 === 0 ? files : ['/history', ...permalinks]
    const parts = ['', ...(from % 20 === 0 ? more : [])]
    paths.push(...parts.map((part) => `/status/${slug}${part}`))
  }
  return paths
}

test('XSS: as the name of a page each of them stays text, wherever the name stands', async () => {
  for (const [index, payload] of PAYLOADS.entries()) {
    const slug = `name-${index}`
    await fixture.world.seedPage({ slug, name: payload, sections: [] })
    const escaped = payload
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
    for (const path of ['', '/embed', '/feed.rss', '/feed.atom', '/badge.svg']) {
      const { text } = await fixture.read(`/status/${slug}${path}`)
      assert.ok(text.includes(escaped.slice(0, 30)), `${path} ${payload}`)
      if (escaped !== payload) assert.ok(!text.includes(payload), `${path} ${payload}`)
    }
  }
})

test('XSS: the watch itself works: a page that does run a script is noticed', async () => {
  const { page, violations } = await openPage(browser, base)
  await page.route(`${base}/status/planted`, async (route) => {
    const answer = await route.fetch({ url: `${base}/status/operational` })
    const body = (await answer.text()).replace(
      '<main',
      '<script>__xss=1</script><img src=x onerror=__xss=1><main',
    )
    await route.fulfill({ response: answer, body })
  })
  await page.goto(`${base}/status/planted`)
  assert.notDeepEqual(violations, [], 'the policy stops it and says so')
  await page.context().close()
})

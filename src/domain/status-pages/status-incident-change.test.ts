import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statusIncidentEvents } from '../events/event.ts'
import type { StatusIncident } from './status-incident.ts'
import {
  type Edit,
  editIncident,
  incidentDiffers,
  postUpdate,
  publishIncident,
} from './status-incident-change.ts'

const NOW = new Date('2026-11-14T22:00:00.000Z')
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const uuid = (n: number) => `01940000-0000-7000-8000-${String(n).padStart(12, '0')}`

const components = [{ componentUuid: uuid(1), state: 'MAJOR_OUTAGE' as const }]
const healthy = [{ componentUuid: uuid(1), state: 'OPERATIONAL' as const }]
const named = { pageUuids: [uuid(9)], components, incidentUuid: null }
const sent = {
  uuid: uuid(5),
  title: 'Payments fail',
  status: 'INVESTIGATING' as const,
  impact: 'MINOR' as const,
  notifySubscribers: true,
}

const open = publishIncident({ ...sent, startedAt: at(-600) }, named, at(-500)).after
const resolved = postUpdate(
  open,
  { message: 'Over', status: 'RESOLVED', notifySubscribers: true },
  components,
  at(-100),
).after
const pathsOf = ({ problems }: { problems: { path: string }[] }) => problems.map(({ path }) => path)

describe('publish', () => {
  test('it begins now, and the message is its first update', () => {
    const { after, update, problems } = publishIncident({ ...sent, message: 'Hm' }, named, NOW)
    assert.deepEqual(problems, [])
    assert.deepEqual([after.startedAt, after.resolvedAt, after.components], [NOW, null, components])
    const posted = { status: 'INVESTIGATING', message: 'Hm', components }
    assert.deepEqual(update, { ...posted, notifiedSubscribers: true, createdAt: NOW })
    assert.equal(publishIncident(sent, named, NOW).update, null)
  })

  test('RESOLVED has an end and affects nothing', () => {
    const { after, update } = publishIncident(
      { ...sent, status: 'RESOLVED', message: 'Was' },
      named,
      NOW,
    )
    assert.deepEqual([after.resolvedAt, after.components], [NOW, healthy])
    assert.deepEqual(update?.components, healthy)
  })

  // biome-ignore format: a table is read by its columns
  const rows: [status: 'INVESTIGATING' | 'RESOLVED', startedAt: number | undefined, resolvedAt: number | null | undefined, paths: string[]][] = [
    ['INVESTIGATING', 60,        undefined, []],
    ['INVESTIGATING', 60.001,    undefined, ['startedAt']],
    ['INVESTIGATING', -1e9,      null,      []],
    ['INVESTIGATING', -2e9,      null,      ['startedAt']], // before 1970
    ['INVESTIGATING', undefined, -10,       ['resolvedAt']], // only with RESOLVED
    ['RESOLVED',      -100,      -10,       []],
    ['RESOLVED',      -100,      -100,      []],
    ['RESOLVED',      -100,      -101,      ['resolvedAt']],
    ['RESOLVED',      -100,      60,        []],
    ['RESOLVED',      -100,      61,        ['resolvedAt']],
    ['RESOLVED',      -100,      null,      []],
    ['RESOLVED',      60,        undefined, []], // ends when it begins, not before
    ['RESOLVED',      undefined, -10,       ['resolvedAt']],
  ]
  for (const [status, start, end, paths] of rows)
    test(`${status} from ${start} to ${end}: ${paths.join() || 'fine'}`, () => {
      const times = {
        startedAt: start === undefined ? undefined : at(start),
        resolvedAt: end === undefined || end === null ? end : at(end),
      }
      const change = publishIncident({ ...sent, ...times, status }, named, NOW)
      assert.deepEqual(pathsOf(change), paths)
      const { startedAt, resolvedAt } = change.after
      if (paths.length === 0 && resolvedAt) assert.ok(resolvedAt >= startedAt)
    })
})

describe('edit', () => {
  const change = (before: StatusIncident, patch: Edit) => editIncident(before, patch, before, NOW)

  test('nothing sent or the same sent back changes nothing', () => {
    for (const before of [open, resolved])
      for (const patch of [{}, before]) {
        const { after, update, problems } = change(before, patch)
        assert.deepEqual([update, problems], [null, []])
        assert.equal(incidentDiffers(before, after), false)
      }
  })

  test('a changed status adds an update without a message', () => {
    const { update } = change(open, { status: 'MONITORING' })
    assert.deepEqual([update?.message, update?.status], ['', 'MONITORING'])
    assert.equal(update?.notifiedSubscribers, false)
  })

  test('RESOLVED ends it; another status reopens it, also with its old end sent back', () => {
    const { after } = change(open, { status: 'RESOLVED', resolvedAt: null })
    assert.deepEqual([after.resolvedAt, after.components], [NOW, healthy])
    const again = change(after, { ...after, status: 'IDENTIFIED' })
    assert.deepEqual([again.problems, again.after.resolvedAt], [[], null])
  })

  test('components of a resolved incident stay OPERATIONAL', () => {
    const { after } = editIncident(resolved, {}, named, NOW)
    assert.deepEqual(after.components, healthy)
  })

  const rows: [what: string, before: StatusIncident, patch: Edit, paths: string[]][] = [
    ['an end for one that is open', open, { resolvedAt: at(-1) }, ['resolvedAt']],
    ['another end', resolved, { resolvedAt: at(-200) }, []],
    ['an end before the start', resolved, { resolvedAt: at(-601) }, ['resolvedAt']],
    ['no end', resolved, { resolvedAt: null }, ['resolvedAt']],
    ['a start after the end', resolved, { startedAt: at(-99) }, ['startedAt']],
    ['both moved', resolved, { startedAt: at(-50), resolvedAt: at(-40) }, []],
    ['both moved wrongly', resolved, { startedAt: at(-40), resolvedAt: at(-50) }, ['resolvedAt']],
    ['a start far ahead', open, { startedAt: at(61) }, ['startedAt']],
    [
      'reopened with an end',
      resolved,
      { status: 'MONITORING', resolvedAt: at(-1) },
      ['resolvedAt'],
    ],
    ['resolved with an end', open, { status: 'RESOLVED', resolvedAt: at(-5) }, []],
  ]
  for (const [what, before, patch, paths] of rows)
    test(`${what}: ${paths.join() || 'fine'}`, () =>
      assert.deepEqual(pathsOf(change(before, patch)), paths))
})

describe('post', () => {
  const message = { message: 'News', notifySubscribers: false }

  test('the status stays unless one is sent; states are replaced', () => {
    const { after, update } = postUpdate(open, message, healthy, NOW)
    assert.deepEqual(
      [after.status, update.status, after.components],
      ['INVESTIGATING', 'INVESTIGATING', healthy],
    )
    assert.equal(update.notifiedSubscribers, false)
  })

  test('RESOLVED ends it at the time of the update, never before its start', () => {
    const over = { ...message, status: 'RESOLVED' as const }
    assert.deepEqual(
      postUpdate(open, { ...over, createdAt: at(-30) }, components, NOW).after.resolvedAt,
      at(-30),
    )
    assert.deepEqual(
      postUpdate(open, { ...over, createdAt: at(-999) }, components, NOW).after.resolvedAt,
      open.startedAt,
    )
    assert.deepEqual(postUpdate(open, over, components, NOW).after.components, healthy)
  })

  test('a word after the end leaves the end; another status reopens', () => {
    assert.deepEqual(
      postUpdate(resolved, message, healthy, NOW).after.resolvedAt,
      resolved.resolvedAt,
    )
    const again = postUpdate(
      resolved,
      { ...message, status: 'INVESTIGATING' },
      components,
      NOW,
    ).after
    assert.deepEqual([again.resolvedAt, again.components], [null, components])
  })

  test('not from the future, nor from before 1970', () => {
    assert.deepEqual(
      pathsOf(postUpdate(open, { ...message, createdAt: new Date(-1) }, components, NOW)),
      ['createdAt'],
    )
    assert.deepEqual(pathsOf(postUpdate(open, { ...message, createdAt: NOW }, components, NOW)), [])
    assert.deepEqual(
      pathsOf(postUpdate(open, { ...message, createdAt: at(0.001) }, components, NOW)),
      ['createdAt'],
    )
  })

  test('it is newer than the newest, also when that was posted by somebody who began later', () => {
    const newest = { ...postUpdate(open, message, components, at(5)).update, uuid: uuid(7) }
    const { update } = postUpdate({ ...open, updates: [newest] }, message, components, NOW)
    assert.deepEqual(update.createdAt, at(5.001))
  })
})

describe('what is told', () => {
  const told = (before: StatusIncident | undefined, after: StatusIncident) =>
    statusIncidentEvents(before, after, null, NOW).map(({ type }) => type.split('.')[1])

  test('published; resolved when it becomes so; updated otherwise', () => {
    assert.deepEqual(told(undefined, open), ['published'])
    assert.deepEqual(told(undefined, resolved), ['published', 'resolved'])
    assert.deepEqual(told(open, open), ['updated'])
    assert.deepEqual(told(open, resolved), ['resolved'])
    assert.deepEqual(told(resolved, resolved), ['updated'])
    assert.deepEqual(told(resolved, open), ['updated'])
  })

  test('the newest 20 updates, and the one it is about', () => {
    const { update } = postUpdate(open, { message: 'x', notifySubscribers: true }, [], NOW)
    const updates = Array.from({ length: 30 }, (_, n) => ({ ...update, uuid: uuid(100 + n) }))
    const [fact] = statusIncidentEvents(open, { ...open, updates }, updates[0] ?? null, NOW)
    const data = fact?.data as {
      statusIncident: { updates: { id: string }[] }
      update: { id: string }
    }
    assert.equal(data.statusIncident.updates.length, 20)
    assert.equal(data.statusIncident.updates[0]?.id, data.update.id)
  })
})

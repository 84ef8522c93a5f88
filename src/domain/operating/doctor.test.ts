import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DoctorLevel,
  exitCodeOf,
  formatLines,
  hideSecrets,
  isHideable,
  judgeBaseUrl,
  judgeClock,
  judgePartitions,
  judgeProbes,
  judgeTls,
} from './doctor.ts'

const levels = (verdicts: readonly { level: DoctorLevel }[]) => verdicts.map(({ level }) => level)

test('TLS is wanted unless the database is on this machine', () => {
  const table: [url: string, isEncrypted: boolean, level: DoctorLevel][] = [
    ['postgres://u@db.example.com/x', false, 'warn'],
    ['postgres://u@db.example.com/x', true, 'ok'],
    ['postgres://u@10.0.0.5:5432/x', false, 'warn'],
    ['postgres://u@localhost.example.com/x', false, 'warn'],
    ['postgres://u@localhost/x', false, 'ok'],
    ['postgres://u@127.0.0.1:5432/x', false, 'ok'],
    ['postgres://u@[::1]/x', false, 'ok'],
    ['postgres:///x?host=/run/postgresql', false, 'ok'],
    ['postgres://u@localhost/x?host=db.example.com', false, 'warn'],
  ]
  for (const [url, isEncrypted, level] of table)
    assert.deepEqual(levels(judgeTls(url, isEncrypted)), [level], url)
})

test('a clock that is off says in which direction', () => {
  assert.deepEqual(levels(judgeClock(0.2)), ['ok'])
  assert.deepEqual(levels(judgeClock(-3)), ['warn'])
  const [line] = judgeClock(-90)
  assert.equal(line?.level, 'fail')
  assert.match(line?.message ?? '', /90\.0 s behind the database's clock\. Turn on time synch/)
})

test('partitions are needed for two more days', () => {
  assert.deepEqual(levels(judgePartitions(2)), ['ok'])
  assert.deepEqual(levels(judgePartitions(1)), ['fail'])
  assert.match(judgePartitions(-1)[0]?.message ?? '', /today has none/)
})

test('a region fails without a live probe only when monitors need it', () => {
  const common = { isRevoked: false, provesName: true }
  const eu = { region: 'eu', name: 'eu-1', isLive: true, ...common }
  const us = { region: 'us', name: 'us-1', isLive: false, ...common }
  assert.deepEqual(levels(judgeProbes([eu, us], ['us'])), ['fail'])
  assert.deepEqual(levels(judgeProbes([eu, us], ['eu', null])), ['warn'])
  assert.deepEqual(levels(judgeProbes([us], [null])), ['fail'])
  assert.deepEqual(levels(judgeProbes([eu, { ...us, isRevoked: true }], ['eu'])), ['ok'])
  assert.deepEqual(levels(judgeProbes([], ['asia'])), ['fail'])
  assert.deepEqual(levels(judgeProbes([], [null])), ['fail'])
  assert.deepEqual(levels(judgeProbes([], [])), ['warn'])
  assert.deepEqual(levels(judgeProbes([{ ...eu, provesName: null }], ['eu'])), ['ok'])
  const [older] = judgeProbes([{ ...eu, provesName: false }], ['eu'])
  assert.equal(older?.level, 'warn')
  assert.match(older?.message ?? '', /^Identity not verified: eu-1\./)
})

test('warnings leave the exit code at 0, and a broken configuration makes it 2', () => {
  const line = (check: string, level: DoctorLevel) => ({ check, level, message: 'm' })
  assert.equal(exitCodeOf([line('ping', 'warn'), line('disk', 'ok')]), 0)
  assert.equal(exitCodeOf([line('disk', 'fail')]), 1)
  assert.equal(exitCodeOf([line('disk', 'fail'), line('configuration', 'fail')]), 2)
})

test('lines are aligned, and a secret that a server repeats is hidden', () => {
  const lines = [
    { check: 'disk', level: 'ok' as const, message: 'fine' },
    { check: 'mail relay', level: 'fail' as const, message: 'bad' },
  ]
  assert.equal(formatLines(lines), 'ok    disk        fine\nfail  mail relay  bad')
  assert.equal(hideSecrets('535 no pass-word for you', ['pass-word']), '535 no *** for you')
})

test('earlier names of a restarted probe are not counted as lost probes', () => {
  const common = { region: 'default', isRevoked: false, provesName: true }
  const earlier = ['probe-0123456789ab', 'probe-ba9876543210'].map((name) => ({
    ...common,
    name,
    isLive: false,
  }))
  const now = { ...common, name: 'probe-aaaaaaaaaaaa', isLive: true }
  const lost = { ...common, name: 'fra-1', isLive: false }
  assert.equal(judgeProbes([...earlier, now], [null])[0]?.message, 'live: default 1 of 1')
  assert.equal(judgeProbes([...earlier, now, lost], [null])[0]?.message, 'live: default 1 of 2')
  assert.deepEqual(levels(judgeProbes(earlier, [null])), ['fail'])
})

test('a secret that is a word of every message is not hidden: stars would say which word it is', () => {
  // biome-ignore format: a table is read by its columns
  const table: [secret: string, isHidden: boolean][] = [
    ['password', false], ['Postgres', false], ['PASSWORD', false], ['short-1', false],
    ['password1', true], ['right-database-pw', true], ['correcthorsebatterystaple', true], ['pAssword', true],
  ]
  for (const [secret, isHidden] of table) assert.equal(isHideable(secret), isHidden, secret)
})

test('BASE_URL: a wrong host fails, and one that this machine cannot see is a warning', () => {
  // biome-ignore format: a table is read by its columns
  const table: [status: number, isOwn: boolean, level: DoctorLevel][] = [
    [200, true, 'ok'], [200, false, 'fail'], [404, false, 'fail'], [502, false, 'fail'], [308, false, 'warn'], [401, false, 'warn'],
  ]
  for (const [status, isOwn, level] of table)
    assert.equal(judgeBaseUrl({ status, isOwn }).level, level, `${status}`)
  assert.equal(judgeBaseUrl({ problem: 'ENOTFOUND' }).level, 'warn')
})

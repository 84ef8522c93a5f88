import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCounts, changesOf, refusalOf, resourceIn } from '../../../test/import/imported.ts'
import { readCsv } from '../common/csv.ts'
import { checkColumns, mapCsv } from './map.ts'

test('the export of the list of monitors', () => {
  const csv = `"id","name","type","state","target","everySeconds","uptime30d","tags"\r
"mon_1","Shop","HTTP","UP","https://shop.example.com/",60,99.9,"prod, web"\r
"mon_2","Mail","PORT","PAUSED","mail.example.com:25",300,,""\r
"mon_3","Backup","CRON","UP","",3600,,""\r
"mon_4","'=cmd","SSL","UP","mail.example.com:993",10,,""\r
"mon_5","Odd","FTP","UP","ftp.example.com",60,,""\r
`
  const rows = readCsv('monitors.csv', csv)
  checkColumns('monitors.csv', rows)
  const imported = mapCsv(rows)
  assertCounts(imported)
  assert.deepEqual(resourceIn(imported, 'monitors', 'shop'), {
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example.com/',
    intervalSeconds: 60,
    tags: ['prod', 'web'],
  })
  assert.deepEqual(resourceIn(imported, 'monitors', 'mail'), {
    name: 'Mail',
    type: 'PORT',
    host: 'mail.example.com',
    port: 25,
    intervalSeconds: 300,
    paused: true,
  })
  assert.equal(resourceIn(imported, 'monitors', 'backup')['expectedPeriodSec'], 3600)
  const odd = resourceIn(imported, 'monitors', 'cmd')
  assert.deepEqual(
    [odd['name'], odd['url'], odd['intervalSeconds']],
    ['=cmd', 'mail.example.com:993', 30],
  )
  assert.deepEqual(changesOf(imported, '=cmd'), ['intervalSeconds'])
  assert.match(refusalOf(imported, 'Odd'), /FTP/)
})

test('as little as a name and an address, with semicolons', () => {
  const imported = mapCsv(readCsv('short.csv', 'name;url\nShop;shop.example.com/health\n'))
  assert.equal(resourceIn(imported, 'monitors', 'shop')['url'], 'https://shop.example.com/health')
})

for (const [text, why] of [
  ['', /no rows/],
  ['name\n', /no rows/],
  ['title,url\nA,b\n', /one of them name/],
  ['name,url\n"A,b\n', /never closed/],
  ['name,url\n"A"x,b\n', /after a closing quote/],
] as const)
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.throws(() => checkColumns('x.csv', readCsv('x.csv', text)), why)
  })

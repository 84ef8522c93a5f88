import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsvHead, toCsvLine } from '../values/csv.ts'
import { importKey, MAX_IMPORT_ROWS, readImport } from './import-csv.ts'

// biome-ignore format: a table is read by its columns
const rows: [name: string, file: string, draft: object][] = [
  ['as little as possible', 'name,url\nShop,https://shop.example/',
    { name: 'Shop', type: 'HTTP', url: 'https://shop.example/' }],
  ['a missing scheme', 'name,url\nShop,shop.example',
    { name: 'Shop', type: 'HTTP', url: 'https://shop.example' }],
  ['names of columns in any case', 'NAME;Url;INTERVALSECONDS\nShop;https://a.example;60',
    { name: 'Shop', type: 'HTTP', url: 'https://a.example', intervalSeconds: 60 }],
  ['a port', 'name,type,target\nDB,port,db.example:5432',
    { name: 'DB', type: 'PORT', host: 'db.example', port: 5432 }],
  ['a port of its own', 'name,type,host,port\nDB,PORT,db.example,5432',
    { name: 'DB', type: 'PORT', host: 'db.example', port: 5432 }],
  ['IPv6 with a port', 'name,type,target\nDB,PORT,2001:db8::1:5432',
    { name: 'DB', type: 'PORT', host: '2001:db8::1', port: 5432 }],
  ['a host', 'name,type,target\nRouter,PING,10.0.0.1', { name: 'Router', type: 'PING', host: '10.0.0.1' }],
  ['a job', 'name,type,target,everySeconds\nBackup,CRON,,3600',
    { name: 'Backup', type: 'CRON', expectedPeriodSec: 3600 }],
  ['a name without scheme for DNS', 'name,type,target,dnsRecordType\nMail,DNS,example.com,mx',
    { name: 'Mail', type: 'DNS', url: 'example.com', dnsRecordType: 'MX' }],
  ['a keyword', 'name,type,url,keyword\nShop,KEYWORD,https://a.example,"a, b"',
    { name: 'Shop', type: 'KEYWORD', url: 'https://a.example', keyword: 'a, b' }],
  ['fields win over what the list shows', 'name,target,url,everySeconds,intervalSeconds\nA,b.example,https://a.example,60,30',
    { name: 'A', type: 'HTTP', url: 'https://a.example', intervalSeconds: 30 }],
  ['short rows', 'name,url,keyword\nA', { name: 'A', type: 'HTTP' }],
]

for (const [name, file, draft] of rows)
  test(`readImport: ${name}`, () => {
    const { rows: read, problem } = readImport(file)
    assert.equal(problem, null)
    assert.deepEqual(
      read.map((row) => [row.line, row.draft, row.problems]),
      [[2, draft, []]],
    )
  })

// biome-ignore format: a table is read by its columns
const broken: [file: string, problem: RegExp][] = [
  ['',                                               /column names/],
  ['url\nhttps://a.example',                         /one of them name/],
  ['name,url',                                       /no rows/],
  ['name,url\n"a',                                   /never closed on line 2/],
  [`name\n${'a\n'.repeat(MAX_IMPORT_ROWS + 1)}`,     /at most 1000 rows/],
]

for (const [file, problem] of broken)
  test(`readImport: ${JSON.stringify(file.slice(0, 30))} is refused as a whole`, () => {
    const read = readImport(file)
    assert.match(read.problem ?? '', problem)
    assert.deepEqual(read.rows, [])
  })

test('readImport: a thousand rows are read', () => {
  assert.equal(readImport(`name\n${'a\n'.repeat(MAX_IMPORT_ROWS)}`).rows.length, MAX_IMPORT_ROWS)
})

test('readImport: what is wrong in a row is said at its field', () => {
  const { rows: read } = readImport('name,type,intervalSeconds\nA,FTP,1e3\nB,http,-1')
  assert.deepEqual(
    read.map(({ problems }) => problems.map(({ path }) => path)),
    [['type', 'intervalSeconds'], ['intervalSeconds']],
  )
})

test('readImport: columns of the export are known, others are named', () => {
  const { ignored, rows: read } = readImport(
    'id,name,state,owner,tags\nmon_1,A,UP,Ana,"Prod, eu, PROD"',
  )
  assert.deepEqual(ignored, ['owner'])
  assert.deepEqual(read[0]?.tags, ['Prod', 'eu'])
})

test('readImport: names that look like formulas come back from the export unchanged', () => {
  for (const name of ['=1+1', '@home', "'=x", '-5', 'a,"b"', '+49'])
    assert.equal(
      readImport(toCsvHead(['name']) + toCsvLine([name])).rows[0]?.draft.name,
      name.trim(),
    )
})

test('importKey: name, type and target make a monitor', () => {
  const shop = { name: 'A', type: 'HTTP', url: 'https://a.example' }
  assert.equal(importKey(shop), importKey({ ...shop, host: null, port: null }))
  for (const other of [{ name: 'a' }, { type: 'SSL' }, { url: 'https://b.example' }, { port: 1 }])
    assert.notEqual(importKey(shop), importKey({ ...shop, ...other }))
})

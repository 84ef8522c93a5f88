import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../command.ts'
import { parseLine } from '../shell/parse.ts'
import { check, toCheckInput } from './check.ts'

type Input = Parameters<typeof toCheckInput>[1]

function inputOf(line: string): object {
  const { call } = parseLine([check], ['check', ...line.split(' ')], {})
  return toCheckInput(call.args[0] ?? '', call.options as Input)
}

// biome-ignore format: a table is read by its columns
const good: [line: string, input: object][] = [
  ['https://shop.example.com/health',      { type: 'HTTP', url: 'https://shop.example.com/health' }],
  ['http://127.0.0.1:8080',                { type: 'HTTP', url: 'http://127.0.0.1:8080/' }],
  ['shop.example.com',                     { type: 'HTTP', url: 'https://shop.example.com/' }],
  ['shop.example.com --keyword EUR',       { type: 'KEYWORD', url: 'https://shop.example.com/', keyword: 'EUR' }],
  ['ping://db.example.com',                { type: 'PING', host: 'db.example.com' }],
  ['ping://[2001:db8::1]',                 { type: 'PING', host: '2001:db8::1' }],
  ['tcp://mail.example.com:25',            { type: 'PORT', host: 'mail.example.com', port: 25 }],
  ['dns://example.com',                    { type: 'DNS', url: 'example.com' }],
  ['example.com --type dns',               { type: 'DNS', url: 'example.com' }],
  ['tls://example.com:8443',               { type: 'SSL', url: 'example.com:8443' }],
  ['example.com --type DOMAIN',            { type: 'DOMAIN', url: 'example.com' }],
  ['https://x.example.com --method head --status 200,204 --timeout 5 --region eu-1',
    { type: 'HTTP', url: 'https://x.example.com/', region: 'eu-1', method: 'HEAD', expectedStatus: [200, 204], timeoutSeconds: 5 }],
]
for (const [line, input] of good)
  test(`upv check ${line}`, () => assert.deepEqual(inputOf(line), input))

// biome-ignore format: a table is read by its columns
const wrong: [line: string, message: RegExp][] = [
  ['tcp://mail.example.com',          /needs a port/],
  ['ftp://x.example.com',             /give a URL/],
  ['https://',                        /give a URL/],
  ['x.example.com --type CRON',       /--type must be one of HTTP/],
  ['x.example.com --method SING',     /--method must be one of/],
  ['x.example.com --status 2xx',      /--status must be a whole number from 100 to 599/],
  ['x.example.com --timeout 61',      /--timeout must be a whole number from 1 to 60/],
]
for (const [line, message] of wrong)
  test(`upv check ${line}: is refused`, () => {
    assert.throws(
      () => inputOf(line),
      (error: unknown) =>
        error instanceof CommandError && error.exitCode === 2 && message.test(error.message),
    )
  })

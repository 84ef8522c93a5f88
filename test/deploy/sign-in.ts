// Follows a set-up link as a person would: the dashboard loads, the first account is created, and it can sign in again.
// node sign-in.ts <base URL> <link | "-"> [origin]
import assert from 'node:assert/strict'
import { Visitor } from '../kit/private-client.ts'

const [baseUrl = '', link = '-', origin = baseUrl] = process.argv.slice(2)
const EMAIL = 'ana@example.com'
const PASSWORD = 'correct horse battery staple'

const page = await new Visitor({ baseUrl, origin }).exchange('GET', '/')
assert.equal(page.status, 200, page.text.slice(0, 300))
const scripts = [...page.text.matchAll(/(?:src|href)="(\/[^"]{1,200}\.(?:js|css))"/g)]
assert.ok(scripts.length > 0, 'the page of the dashboard names no script')
for (const [, path = ''] of scripts) {
  const script = await new Visitor({ baseUrl, origin }).exchange('GET', path)
  assert.equal(script.status, 200, path)
}

if (link !== '-') {
  const token = new URL(link).hash.slice(1)
  const account = { name: 'Ana', email: EMAIL, password: PASSWORD, organization: 'Acme', token }
  const created = await new Visitor({ baseUrl, origin }).post('/setup', account)
  assert.ok(created.status < 300, created.text)
}
const person = new Visitor({ baseUrl, origin })
const signedIn = await person.signIn(EMAIL, PASSWORD)
assert.ok(signedIn.status < 300, signedIn.text)
assert.equal(await person.step(), 'SIGNED_IN')
console.log('signed in')

// The product's external services, all on loopback: a mail relay, DNS, a registry, and targets.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../tools/stack.ts'
import { type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import { createAuthority } from '../kit/targets/certificates.ts'
import { startDnsServer } from '../kit/targets/dns-server.ts'
import { rdapRecord, startRegistry } from '../kit/targets/registry.ts'
import { startWeb, type Web } from '../kit/targets/web.ts'
import { makeHostileCertificate } from './hostile-certificate.ts'

// TXT queries return text that must not be treated as markup.
const HOSTILE = '<script>hacked=1</script><img src=x onerror=hacked=1>'
const HOSTILE_NAME = '<img src=x onerror=hacked=1>.test'
// A registrar whose name is an attack, with what must not be shown: a line break and a mark that turns the text around.
const HOSTILE_REGISTRAR = '<script>hacked=1</script>\n\u202e<img src=x onerror=hacked=1>'
const YEAR_MS = 365 * 86_400_000
const inYears = (years: number) => new Date(Date.now() + years * YEAR_MS).toISOString()

export type ExternalServices = {
  env: Environment
  mail: SmtpSink
  web: Web
  /** With a certificate for `secure.test` that the product trusts. */
  secure: Web
  /** With a certificate in which every name is an attack. */
  hostile: Web
  close(): Promise<void>
}

/** Every name resolves to this machine; `registered.com` is a registered domain, `hostile.com` an expired one. */
export async function startExternalServices(): Promise<ExternalServices> {
  const authority = createAuthority('Example Trust')
  const directory = mkdtempSync(join(tmpdir(), 'upvane-web-'))
  writeFileSync(join(directory, 'root.pem'), authority.root)
  const mail = await startSmtpSink()
  const dns = await startDnsServer(({ name, type }) => {
    if (type === 'A') return { answers: [{ name, type, data: '127.0.0.1', ttl: 0 }] }
    if (type === 'TXT') return { answers: [{ name, type, data: HOSTILE, ttl: 0 }] }
    return type === 'CNAME' ? { answers: [{ name, type, data: HOSTILE_NAME, ttl: 0 }] } : undefined
  })
  const registry = await startRegistry({
    suffixes: ['com'],
    rdap: {
      'registered.com': rdapRecord(inYears(1), 'Example Registrar, Inc.'),
      'hostile.com': rdapRecord(inYears(-1), HOSTILE_REGISTRAR),
    },
    whois: {},
  })
  const web = await startWeb()
  const secure = await startWeb(authority.issue('secure.test'), 'secure.test')
  const hostile = await startWeb(makeHostileCertificate(), 'hostile.test')
  return {
    mail,
    web,
    secure,
    hostile,
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
      SMTP_FROM: 'upvane@example.com',
      NODE_EXTRA_CA_CERTS: join(directory, 'root.pem'),
      PROBE_DNS_SERVERS: dns.address,
      RDAP_BOOTSTRAP_URL: registry.bootstrapUrl,
      WHOIS_SERVER: registry.whoisServer,
    },
    async close() {
      await Promise.all([mail, registry, web, secure, hostile].map((one) => one.close()))
      dns.close()
      authority.remove()
      rmSync(directory, { recursive: true })
    },
  }
}

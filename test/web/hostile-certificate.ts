// A certificate in which every name is an attack; self-signed, so that nothing trusts it and its issuer is its subject.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Identity } from '../kit/targets/certificates.ts'

const CONFIG = `
[req]
prompt = no
utf8 = yes
string_mask = utf8only
distinguished_name = subject
x509_extensions = more
[subject]
commonName = <img src=x onerror=hacked=1>
organizationName = <script>hacked=1</script>\u202eeslaf
organizationalUnitName = <svg/onload=hacked=1>
[more]
subjectAltName = @names
[names]
DNS.1 = hostile.test
DNS.2 = <img src=x onerror=hacked=1>
URI.1 = javascript:hacked=1
`

export function makeHostileCertificate(): Identity {
  const dir = mkdtempSync(join(tmpdir(), 'upvane-hostile-'))
  writeFileSync(join(dir, 'req.cnf'), CONFIG)
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem'
  const command = `req -x509 -config req.cnf ${key} -out cert.pem -days 90`
  execFileSync('openssl', command.split(' '), { cwd: dir, stdio: 'pipe' })
  const read = (file: string) => readFileSync(join(dir, file), 'utf8')
  const identity = { key: read('key.pem'), cert: read('cert.pem') }
  rmSync(dir, { recursive: true })
  return identity
}

// A small certificate authority, created with openssl in its own directory.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Identity = { key: string; cert: string }
type Authority = {
  /** PEM of the root certificate to trust. */
  root: string
  issue(name: string, options?: Partial<LeafOptions>): Identity
  remove(): void
}

export type LeafOptions = {
  /** subjectAltName, such as `DNS:good.test,IP:127.0.0.1`. */
  san: string
  notBefore: Date
  notAfter: Date
  by: 'root' | 'intermediate' | 'expired-intermediate' | 'itself'
  /** Omit the intermediate from what the server sends. */
  bare: boolean
}

const DAY_MS = 86_400_000
const CONFIG = `
[ca]
default_ca = own
[own]
dir = .
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
unique_subject = no
copy_extensions = none
[any]
organizationName = optional
commonName = supplied
`

/** `organization`: who issues its certificates, besides a common name. */
export function createAuthority(organization?: string): Authority {
  const dir = mkdtempSync(join(tmpdir(), 'upvane-ca-'))
  const openssl = (command: string, ...more: string[]) =>
    execFileSync('openssl', [...command.split(' '), ...more], { cwd: dir, stdio: 'pipe' })
  const owner = organization === undefined ? '' : `/O=${organization}`
  const read = (file: string) => readFileSync(join(dir, file), 'utf8')
  const write = (file: string, text: string) => writeFileSync(join(dir, file), text)
  const now = Date.now()
  const year = { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 365 * DAY_MS) }

  write('ca.cnf', CONFIG)
  write('index.txt', '')
  write('serial', '1000')

  function sign(name: string, issuer: string, extensions: string, dates: typeof year): void {
    write(`${name}.ext`, extensions)
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
    openssl(`req ${key} -keyout ${name}.key -out ${name}.csr -subj`, `${owner}/CN=${name}`)
    const by = issuer === name ? '-selfsign' : `-cert ${issuer}.pem`
    const from = `-startdate ${toAsn1(dates.notBefore)} -enddate ${toAsn1(dates.notAfter)}`
    const files = `-in ${name}.csr -out ${name}.pem -extfile ${name}.ext`
    openssl(`ca -batch -notext -config ca.cnf ${files} -keyfile ${issuer}.key ${by} ${from}`)
  }

  const authority = 'basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign\n'
  const past = { notBefore: new Date(now - 9 * DAY_MS), notAfter: new Date(now - 2 * DAY_MS) }
  sign('root', 'root', authority, year)
  sign('intermediate', 'root', authority, year)
  sign('expired-intermediate', 'root', authority, past)

  return {
    root: read('root.pem'),
    issue(name, options = {}) {
      const { by = 'intermediate', bare = false, san = `DNS:${name}` } = options
      const extensions = `basicConstraints=CA:false\nsubjectAltName=${san}\n`
      sign(name, by === 'itself' ? name : by, extensions, { ...year, ...options })
      const chain = by.endsWith('intermediate') && !bare ? read(`${by}.pem`) : ''
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) + chain }
    },
    remove: () => rmSync(dir, { recursive: true }),
  }
}

function toAsn1(date: Date): string {
  return `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
}

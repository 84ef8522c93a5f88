// A CycloneDX SBOM of the packages installed with the product, derived only from the lock file.
import type { Architecture } from './stage.ts'

type Locked = {
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  link?: boolean
  os?: string | string[]
  cpu?: string | string[]
}

const PREFIX = 'node_modules/'

export function makeSbom(lockText: string, version: string, arch: Architecture): string {
  const { packages } = JSON.parse(lockText) as { packages: Record<string, Locked> }
  const components = Object.entries(packages)
    .filter(([path, locked]) => isInstalled(path, locked, arch))
    .map(([path, locked]) => toComponent(path, locked))
    .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `upvane@${version}`,
        name: 'upvane',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components,
  }
  return `${JSON.stringify(sbom, null, 2)}\n`
}

function isInstalled(path: string, locked: Locked, arch: Architecture): boolean {
  if (!path.startsWith(PREFIX) || locked.dev === true || locked.link === true) return false
  const fits = (allowed: string | string[] | undefined, own: string) =>
    allowed === undefined || [allowed].flat().includes(own)
  return fits(locked.os, 'linux') && fits(locked.cpu, arch)
}

function toComponent(path: string, { version = '', integrity = '', license }: Locked) {
  const name = path.slice(path.lastIndexOf(PREFIX) + PREFIX.length)
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [algorithm, base64 = ''] = integrity.split('-', 2)
  const content = Buffer.from(base64, 'base64').toString('hex')
  return {
    type: 'library',
    'bom-ref': `${path}@${version}`,
    name,
    version,
    purl,
    ...(algorithm === 'sha512' ? { hashes: [{ alg: 'SHA-512', content }] } : {}),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
  }
}

// Packs the SDK and the CLI as npm packages of JavaScript, because Node does not run TypeScript inside node_modules.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPackedManifest } from '../../sdk/pack.ts'
import { runNpm } from './npm.ts'

type Packing = { root: string; version: string; output: string }
type Manifest = Record<string, unknown>

/** Each of these returns the path of the package. */
export function packWorkspaceSdk(packing: Packing): string {
  return packWorkspace(packing, 'sdk', toPackedManifest)
}

export function packCli(packing: Packing): string {
  const { version } = packing
  return packWorkspace(packing, 'cli', (own) => ({
    ...own,
    bin: { upv: 'dist/main.js' },
    exports: { '.': { types: './dist/config.d.ts', default: './dist/config.js' } },
    dependencies: { ...(own['dependencies'] as object), '@upvane/sdk': version },
  }))
}

function packWorkspace(
  { root, version, output }: Packing,
  name: 'sdk' | 'cli',
  adapt: (own: Manifest) => Manifest,
): string {
  const workspace = join(root, name)
  const stage = mkdtempSync(join(tmpdir(), `upvane-${name}-`))
  try {
    compile(root, workspace, join(stage, 'dist'))
    if (name === 'cli') keepOwnFiles(stage)
    copyFileSync(join(root, 'LICENSE'), join(stage, 'LICENSE'))
    const readme = join(workspace, 'README.md')
    if (existsSync(readme)) copyFileSync(readme, join(stage, 'README.md'))
    const own = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as Manifest
    const manifest = adapt({ ...own, version })
    writeFileSync(join(stage, 'package.json'), JSON.stringify(manifest, null, 2))
    const packed = runNpm(['pack', '--silent', '--pack-destination', output], stage)
    return join(output, packed.trim())
  } finally {
    rmSync(stage, { recursive: true })
  }
}

// The compiler also writes the SDK, which the package depends on instead.
function keepOwnFiles(stage: string): void {
  const all = join(stage, 'compiled')
  renameSync(join(stage, 'dist'), all)
  renameSync(join(all, 'cli/src'), join(stage, 'dist'))
  rmSync(all, { recursive: true })
}

function compile(root: string, workspace: string, target: string): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(workspace, 'tsconfig.pack.json')
  execFileSync(process.execPath, [tsc, '--project', project, '--outDir', target], {
    cwd: workspace,
    stdio: ['ignore', 2, 2],
  })
}

// The version stands in package.json. `npm run make:version` writes it wherever else it must be; `--check` compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const VERSION = String.raw`\d+\.\d+\.\d+`

const MANIFEST = [/(?<="version": ")VERSION(?=")/g, /(?<="@upvane\/sdk": ")VERSION(?=")/g]
// Names of archives, packages, directories and images.
const ARTIFACT = [/(?<=upvane(?:-sdk|-cli)?[-:])VERSION(?=[-/ .:\s`]|$)/g]
// Of a Job, which never changes and runs once.
const JOB = /(?<=upvane-migrate-)VERSION$/gm
/** What has the version. In package-lock.json only the entries of our own packages. */
const PLACES: readonly [path: string, patterns: readonly RegExp[]][] = [
  ['sdk/package.json', MANIFEST],
  ['cli/package.json', MANIFEST],
  ['web/package.json', MANIFEST],
  [
    'package-lock.json',
    [
      /(?<="name": "(?:upvane|@upvane\/(?:sdk|cli|web))",\s+"version": ")VERSION(?=")/g,
      /(?<="@upvane\/sdk": ")VERSION(?=")/g,
    ],
  ],
  ['deploy/Dockerfile', ARTIFACT],
  ['deploy/compose.standalone.yaml', ARTIFACT],
  ['deploy/install.sh', ARTIFACT],
  ['cli/README.md', ARTIFACT],
  ['deploy/kubernetes/upvane.yaml', ARTIFACT],
  ['deploy/kubernetes/upvane.yaml', [JOB]],
  ['deploy/kubernetes/probe.yaml', ARTIFACT],
  ['docs/as-code.md', ARTIFACT],
  ['docs/cli.md', ARTIFACT],
  ['docs/operating/container.md', ARTIFACT],
  // The rest of this document is about the version after it.
  [
    'docs/operating/install.md',
    [/(?<=upvane-)VERSION(?=-linux)/, /(?<=upvane-)VERSION(?=\/deploy\/install)/],
  ],
  ['docs/sdk.md', ARTIFACT],
  ['docs/webhooks.md', ARTIFACT],
  ['sdk/README.md', ARTIFACT],
]

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}
const isCheck = process.argv.includes('--check')
for (const [path, patterns] of PLACES) {
  const before = readFileSync(join(ROOT, path), 'utf8')
  const after = withVersion(before, patterns)
  if (after === undefined) fail(`${path} has no version: tools/make-version.ts expects one.`)
  else if (after !== before && isCheck) fail(`${path} has another version: npm run make:version`)
  else if (after !== before) writeFileSync(join(ROOT, path), after)
}
if (!readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
  fail(`CHANGELOG.md has no section for ${version}.`)

/** Undefined: the text has no version at all, so a pattern is outdated. */
function withVersion(text: string, patterns: readonly RegExp[]): string | undefined {
  let found = 0
  let changed = text
  for (const pattern of patterns) {
    // A name of Kubernetes has no dots.
    const separator = pattern === JOB ? '-' : '.'
    const any = VERSION.replaceAll('\\.', `[${separator}]`)
    const regex = new RegExp(pattern.source.replace('VERSION', any), pattern.flags)
    changed = changed.replace(regex, () => {
      found += 1
      return version.replaceAll('.', separator)
    })
  }
  return found > 0 ? changed : undefined
}

function fail(problem: string): void {
  console.error(problem)
  process.exitCode = 1
}

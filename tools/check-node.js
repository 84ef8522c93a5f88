// Runs on any Node version, before code that needs ours. Links the Node from npm if npm did not: npm 9 links no binary
// when several packages have one of the same name. If there is none, says which Node is needed.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = [26, 10]
const [major, minor] = process.versions.node.split('.').map(Number)
const isOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])

if (isOld && !linkOwnNode()) {
  const platform = `${process.platform}-${process.arch}`
  console.error(
    `Upvane needs Node ${NEEDED.join('.')} or newer, and this is Node ${process.versions.node} on ${platform}.\n` +
      'On linux-x64, linux-arm64, darwin-x64 and darwin-arm64, "npm ci" installs it with the other packages:\n' +
      'run it again without --omit=optional. Elsewhere, install Node from https://nodejs.org and put it on the PATH.',
  )
  process.exit(1)
}

/** True if npm scripts find our Node from now on: they search node_modules/.bin first. */
function linkOwnNode() {
  const modules = join(dirname(fileURLToPath(import.meta.url)), '../node_modules')
  const own = `node-${process.platform}-${process.arch}/bin/node`
  const link = join(modules, '.bin/node')
  if (!existsSync(join(modules, own))) return false
  if (existsSync(link)) return true
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(`../${own}`, link)
  return true
}

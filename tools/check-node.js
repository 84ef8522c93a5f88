// Runs on any Node, before anything that only ours can read: says which one is needed.
const NEEDED = [26, 10]
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  const platform = `${process.platform}-${process.arch}`
  console.error(
    `Upvane needs Node ${NEEDED.join('.')} or newer, and this is Node ${process.versions.node} on ${platform}.\n` +
      'On linux-x64, linux-arm64, darwin-x64 and darwin-arm64, "npm ci" installs it with the other packages:\n' +
      'run it again without --omit=optional. Elsewhere, install Node from https://nodejs.org and put it on the PATH.',
  )
  process.exit(1)
}

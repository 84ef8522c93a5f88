#!/usr/bin/env node
// The command for users of Upvane's API. (The operator's command is `upvane`.) Nothing is imported before the version of
// Node is checked: an older one would fail somewhere inside, with a stack trace.
const NEEDED = 22
const [major = ''] = process.versions.node.split('.')

if (Number(major) >= NEEDED) await import('./upv.ts')
else {
  const text = `upv needs Node ${NEEDED} or newer, and this is Node ${process.versions.node}.`
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}

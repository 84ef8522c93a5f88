// deploy/compose.probe.yaml by the commands of install.md, beside a service: the probe joins with a token, checks run in
// its region, and its volume keeps who it is. Part of `npm run long deploy`, as the image comes from the release.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runWithCompose } from './compose.ts'
import { skipUnlessLong } from './large.ts'
import { ROOT } from './release.ts'

const WORLD = join(import.meta.dirname, 'compose-probe-world.ts')
const FILES = ['compose.probe.yaml', 'probe.example.env']
const skip = skipUnlessLong('containers')
const home = mkdtempSync('/var/tmp/upvane-compose-probe-')
after(() => rmSync(home, { recursive: true, force: true }))

test('compose.probe.yaml: a probe joins with a token, checks its region, and is the same after a restart', {
  skip,
}, async (t) => {
  mkdirSync(join(home, 'deploy'))
  for (const file of FILES) cpSync(join(ROOT, 'deploy', file), join(home, 'deploy', file))
  t.diagnostic(await runWithCompose([process.execPath, WORLD], home))
})

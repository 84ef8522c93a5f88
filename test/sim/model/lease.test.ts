// The model of lease, fencing and slots, in every order of its steps. Needs Debian's packages spin and gcc.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MODEL = join(import.meta.dirname, 'lease.pml')

const isInstalled = async (): Promise<boolean> =>
  Promise.all([run('spin', ['-V']), run('gcc', ['--version'])]).then(
    () => true,
    () => false,
  )

/** Runs what spin generates, and returns what it prints. */
async function check(mistake: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'upvane-model-'))
  const options = { cwd: directory }
  try {
    await run('spin', [`-DMISTAKE=${mistake}`, '-a', MODEL], options)
    await run('gcc', ['-O1', '-DNOREDUCE', '-o', 'pan', 'pan.c'], options)
    // For every fair order of steps: assertions, and that all slots are recorded in the end.
    return (await run('./pan', ['-a', '-f', '-m100000'], options)).stdout
  } finally {
    await rm(directory, { recursive: true })
  }
}

const EXPECTED = [
  ['nothing wrong', /errors: 0\b/],
  ['results recorded without checking the lease', /assertion violated[\s\S]*errors: 1\b/],
  ['a shard given away during its check', /assertion violated[\s\S]*errors: 1\b/],
  ['the schedule advanced before the result is recorded', /acceptance cycle[\s\S]*errors: 1\b/],
] as const

test('lease model: every slot once, under a valid lease; each of three mistakes has a counterexample', async (t) => {
  if (!(await isInstalled())) return t.skip('spin or gcc is not installed')
  for (const [mistake, [what, expected]] of EXPECTED.entries()) {
    const found = await check(mistake)
    assert.match(found, expected, what)
    assert.doesNotMatch(found, /max search depth too small|out of memory/, what)
  }
})

// The completions, executed by the shells themselves. keys.slow.test.ts presses Tab in their terminals.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadCommands } from '../../commands/table.ts'
import { optionsOf } from '../parse.ts'
import { COMPLETIONS, type Shell } from './shells.ts'

const COMMANDS = await loadCommands()
const SHELLS = ['bash', 'zsh', 'fish'] satisfies Shell[]
// In CI a shell that is missing is a failure.
const skip = (shell: Shell): string | false =>
  process.env['CI'] || spawnSync(shell, ['-c', 'true']).status === 0
    ? false
    : `${shell} is not installed`

function writeScript(t: TestContext, shell: Shell): string {
  const folder = mkdtempSync(join(tmpdir(), 'upvane-completion-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, `upv.${shell}`)
  writeFileSync(path, COMPLETIONS[shell](COMMANDS))
  return path
}

/** What bash offers for the line, whose last word is being typed. */
function completeInBash(line: string): string[] {
  const words = line.split(' ')
  const program = `${COMPLETIONS.bash(COMMANDS)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_upv
printf '%s\\n' "\${COMPREPLY[@]}"`
  const printed = execFileSync('bash', ['--norc', '--noprofile', '-u', '-c', program], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  })
  // A program may be in several folders of PATH.
  return [...new Set(printed.split('\n'))].filter((each) => each !== '')
}

// biome-ignore format: a table is read by its columns
const lines: [line: string, offered: string[]][] = [
  ['upv mon',                             ['monitors']],
  ['upv monitors p',                      ['pause']],
  ['upv monitors list --s',               ['--show-secrets', '--state', '--search']],
  ['upv monitors list --state D',         ['DEGRADED', 'DOWN']],
  ['upv monitors list --state UP --type S', ['SSL']],
  ['upv monitors list --search ',         []],
  ['upv incidents acknowledge --n',       ['--note']],
  ['upv completion ',                     ['bash', 'zsh', 'fish', '--help']],
  ['upv deploy --report bas',             ['bash.ts']],
  ['upv deploy -- ./a bas',               ['bash.ts']],
  ['upv deploy --monitor x -- basenam',   ['basename']],
  ['upv windows list --status A',         ['ACTIVE']],
]
for (const [line, offered] of lines)
  test(`bash: ${line}`, { skip: skip('bash') }, () => {
    assert.deepEqual(completeInBash(line).toSorted(), offered.toSorted())
  })

test('bash: the start of the line offers every first word, each once', {
  skip: skip('bash'),
}, () => {
  const words = new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))
  assert.deepEqual(completeInBash('upv ').toSorted(), [...words].toSorted())
})

for (const command of COMMANDS)
  test(`bash: upv ${command.name} offers all its options`, { skip: skip('bash') }, () => {
    const offered = completeInBash(`upv ${command.name} --`).filter((word) => word !== '--')
    const options = Object.keys(optionsOf(command)).map((name) => `--${name}`)
    assert.deepEqual(offered.toSorted(), options.toSorted())
  })

for (const shell of SHELLS)
  test(`${shell} reads its script without a complaint`, { skip: skip(shell) }, (t) => {
    const { status, stderr } = spawnSync(shell, ['-n', writeScript(t, shell)], { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
  })

// biome-ignore format: a table is read by its columns
const fishLines: [line: string, offered: string[]][] = [
  ['upv mon',                           ['monitors']],
  ['upv monitors p',                    ['pause']],
  ['upv monitors list --state D',       ['DEGRADED', 'DOWN']],
  ['upv monitors list --state=D',       ['--state=DEGRADED', '--state=DOWN']],
  ['upv monitors list --sta',           ['--state']],
  ['upv monitors list --search ',       []],
  ['upv completion ',                   ['bash', 'fish', 'zsh']],
  ['upv deploy --report bas',           ['bash.ts']],
  ['upv deploy -- ./a bas',             ['bash.ts']],
  ['upv monitors get bas',              []],
]
for (const [line, offered] of fishLines)
  test(`fish: ${line}`, { skip: skip('fish') }, (t) => {
    const command = `source ${writeScript(t, 'fish')}; complete -C '${line}'`
    const printed = execFileSync('fish', ['--no-config', '-c', command], {
      encoding: 'utf8',
      cwd: import.meta.dirname,
    })
    const found = printed.split('\n').map((each) => each.split('\t')[0] ?? '')
    assert.deepEqual(found.filter((each) => each !== '').toSorted(), offered)
  })

test('the scripts have no text that a shell could run', () => {
  for (const shell of SHELLS) assert.doesNotMatch(COMPLETIONS[shell](COMMANDS), /`|\beval\b/)
})

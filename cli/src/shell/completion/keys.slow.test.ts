// Presses Tab in interactive shells, as their users do, and looks at the call that results.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadCommands } from '../../commands/table.ts'
import { COMPLETIONS, type Shell } from './shells.ts'

const COMMANDS = await loadCommands()
const WAIT_MS = 30_000
const POLL_MS = 50

type Setup = {
  /** Where its users put the completions, in their home folder. */
  completions: string
  /** What the shell reads when it starts. */
  startFile: string
  start: string
  command: string
}

const FUNCTION = `upv() { printf 'CALL<%s>\\n' "$*"; }\nPS1='READY> '`
const SETUPS: Record<Shell, Setup> = {
  bash: {
    completions: '.local/share/bash-completion/completions/upv',
    startFile: 'start.bash',
    start: `source ~/.local/share/bash-completion/completions/upv\n${FUNCTION}`,
    command: 'bash --noprofile --rcfile ~/start.bash -i',
  },
  zsh: {
    completions: 'functions/_upv',
    startFile: '.zshrc',
    start: `fpath=(~/functions $fpath)\nautoload -Uz compinit && compinit -u\n${FUNCTION}`,
    command: 'zsh --no-global-rcs -i',
  },
  fish: {
    completions: '.config/fish/completions/upv.fish',
    startFile: '.config/fish/config.fish',
    start: `function upv; printf 'CALL<%s>\\n' "$argv"; end
function fish_prompt; echo 'READY> '; end
set -g fish_greeting
set -g fish_autosuggestion_enabled 0`,
    command: 'fish -i',
  },
}

/** An interactive shell on a terminal. */
async function startShell(t: TestContext, shell: Shell) {
  const home = mkdtempSync(join(tmpdir(), 'upvane-keys-'))
  t.after(() => rmSync(home, { recursive: true, maxRetries: 5 }))
  const { completions, startFile, start, command } = SETUPS[shell]
  const files = { [completions]: COMPLETIONS[shell](COMMANDS), [startFile]: start }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), `${text}\n`)
  }
  writeFileSync(join(home, 'release-notes.txt'), '')
  const child = spawn('script', ['-qefc', `stty cols 200; exec ${command}`, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, TERM: 'xterm', LANG: 'C.UTF-8' },
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  t.after(async () => {
    child.kill('SIGKILL')
    await closed
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const until = async (holds: () => boolean): Promise<void> => {
    for (let waitedMs = 0; !holds(); waitedMs += POLL_MS) {
      assert.ok(waitedMs < WAIT_MS, output)
      await delay(POLL_MS)
    }
  }
  await until(() => output.includes('READY> '))
  return {
    /** What upv is called with after these keys. */
    async call(keys: string, typed: string): Promise<string> {
      const before = output.length
      child.stdin.write(keys)
      // Enter only after the shell has written what it completed.
      await until(() => output.slice(before).includes(typed))
      child.stdin.write('\r')
      const result = (): RegExpExecArray | null => /CALL<([^>]*)>\r?\n/.exec(output.slice(before))
      await until(() => result() !== null)
      return result()?.[1] ?? ''
    },
  }
}

// The second column is what appears on the screen when the shell has completed.
// biome-ignore format: a table is read by its columns
const keys: [keys: string, appears: string, call: string][] = [
  ['upv monito\tli\t--stat\tDEG\t',  'DEGRADED',          'monitors list --state DEGRADED'],
  ['upv incid\tack\tinc_1',          'inc_1',             'incidents acknowledge inc_1'],
  ['upv import uptime-\t',           'uptime-kuma',       'import uptime-kuma'],
  ['upv deploy --report rel\t',      'release-notes.txt', 'deploy --report release-notes.txt'],
  ['upv deploy -- cat rel\t',        'release-notes.txt', 'deploy -- cat release-notes.txt'],
]

for (const shell of ['bash', 'zsh', 'fish'] satisfies Shell[]) {
  const isInstalled = spawnSync(shell, ['-c', 'true']).status === 0
  // In CI a shell that is missing is a failure.
  const skip = isInstalled || process.env['CI'] ? false : `${shell} is not installed`
  test(`${shell}: Tab completes words, options, values and files`, { skip }, async (t) => {
    const session = await startShell(t, shell)
    for (const [typed, appears, call] of keys)
      assert.equal((await session.call(typed, appears)).trim(), call, `${shell}: ${typed}`)
  })
}

// A complete Debian with systemd as its first process, in a container without network. Its root is an overlay on the
// cached one, so that each test gets a fresh machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Ran, run, tryRun } from './shell.ts'

const BOOT_SECONDS = 60
const POLL_MS = 200
// Where the Node of each account keeps compiled modules, also below a unit that may only read it. A warm cache is two thirds
// of what a command costs.
const COMPILED = '/var/cache/compiled'
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

let booted = 0

export class Machine {
  /** Its root directory, seen from outside. */
  readonly root: string
  readonly #home: string
  readonly #nspawn: ChildProcess
  #init = ''

  private constructor(home: string, nspawn: ChildProcess) {
    this.#home = home
    this.root = join(home, 'root')
    this.#nspawn = nspawn
  }

  static async boot(base: string): Promise<Machine> {
    const home = mkdtempSync('/var/tmp/upvane-machine-')
    for (const name of ['upper', 'work', 'root']) mkdirSync(join(home, name), { mode: 0o755 })
    const layers = `lowerdir=${base},upperdir=${home}/upper,workdir=${home}/work`
    await run(['mount', '-t', 'overlay', 'overlay', '-o', layers, join(home, 'root')])
    shareCompiled(join(home, 'root'))
    const nspawn = spawn(
      'systemd-nspawn',
      [
        '--quiet',
        '--boot',
        '--private-network',
        '--register=no',
        '--keep-unit',
        '--console=passive',
        '--link-journal=no',
        `--machine=upvane-test-${process.pid}-${++booted}`,
        `--directory=${join(home, 'root')}`,
      ],
      { stdio: 'ignore', env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' } },
    )
    const machine = new Machine(home, nspawn)
    try {
      await machine.#waitForBoot()
    } catch (error) {
      await machine.stop()
      throw error
    }
    return machine
  }

  /** Runs a script as root; fails unless it exits with 0. */
  run(script: string): Promise<string> {
    return run(this.#enter(['bash', '-eu', '-o', 'pipefail']), { input: `cd /root\n${script}` })
  }

  tryRun(script: string): Promise<Ran> {
    return tryRun(this.#enter(['bash', '-eu', '-o', 'pipefail']), { input: `cd /root\n${script}` })
  }

  /** Runs a program of this checkout in the machine's network. */
  runInNetwork(command: readonly string[]): Promise<string> {
    return run(['nsenter', '--target', this.#init, '--net', ...command])
  }

  async stop(): Promise<void> {
    if (this.#nspawn.exitCode === null) {
      const ended = once(this.#nspawn, 'exit')
      this.#nspawn.kill('SIGTERM')
      const isOver = await Promise.race([ended, delay(20_000, undefined, { ref: false })])
      if (isOver === undefined) this.#nspawn.kill('SIGKILL')
    }
    await tryRun(['umount', '--recursive', '--lazy', this.root])
    rmSync(this.#home, { recursive: true, force: true })
  }

  #enter(command: readonly string[]): string[] {
    const environment = [PATH, 'HOME=/root', `NODE_COMPILE_CACHE=${COMPILED}`]
    return ['nsenter', '--target', this.#init, '--all', 'env', '-i', ...environment, ...command]
  }

  async #waitForBoot(): Promise<void> {
    const deadline = Date.now() + BOOT_SECONDS * 1000
    while (Date.now() < deadline) {
      await delay(POLL_MS)
      if (this.#nspawn.exitCode !== null) break
      const pid = this.#nspawn.pid ?? 0
      this.#init =
        readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? ''
      if (this.#init === '') continue
      const { stdout } = await this.tryRun('systemctl is-system-running || true')
      if (/running|degraded/.test(stdout)) return
    }
    throw new Error('systemd did not boot in the container.')
  }
}

function shareCompiled(root: string): void {
  mkdirSync(join(root, COMPILED))
  chmodSync(join(root, COMPILED), 0o1777)
  const settings = join(root, 'etc/systemd/system.conf.d')
  mkdirSync(settings, { recursive: true })
  const lines = ['[Manager]', `DefaultEnvironment=NODE_COMPILE_CACHE=${COMPILED}`]
  writeFileSync(join(settings, 'compiled.conf'), `${lines.join('\n')}\n`)
}

// Runs npm with this Node, because an older one makes npm skip packages whose engines exclude it.
import { execFileSync } from 'node:child_process'

export function runNpm(args: readonly string[], cwd: string): string {
  const script = process.env['npm_execpath']
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []]
  return execFileSync(command, [...first, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_config_update_notifier: 'false' },
  })
}

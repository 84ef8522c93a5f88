// The product with NATS as it is shipped for regions, a well-behaved organization, and somebody who found the token of a probe.
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Environment, startStack } from '../../tools/stack.ts'
import { startShippedNats } from '../e2e/operating/shipped-nats.ts'
import { openDatabase } from '../kit/database.ts'
import type { Arena } from './assault.ts'
import type { JoinFlood, JoinReport } from './attacker/join-flood.ts'
import { tableOf } from './figures.ts'
import { Victim } from './victim.ts'
import { addKeys, QUIET_SECONDS, untilQuick, VICTIM_KEYS } from './world.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const FLOOD = join(import.meta.dirname, 'attacker/join-flood.ts')
const TOKENS = 3
const run = promisify(execFile)

let shared: Promise<Arena> | undefined
const ends: (() => unknown)[] = []

export function getJoinWorld(): Promise<Arena> {
  shared ??= startJoinWorld()
  return shared
}

export async function endJoinWorld(): Promise<void> {
  const world = await shared?.catch(() => undefined)
  if (world !== undefined) process.stdout.write(`\n${tableOf([world.quiet, ...world.phases])}\n\n`)
  for (const end of ends.splice(0).toReversed()) await end()
}

async function startJoinWorld(): Promise<Arena> {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-joins-'))
  ends.push(() => rmSync(directory, { recursive: true }))
  const stack = await startStack({ nats: false, env: { LOG_LEVEL: 'warn' } })
  ends.push(() => stack.stop())
  const upvane = (words: string[], env: Environment = {}) =>
    run(process.execPath, [MAIN, ...words], { cwd: directory, env: { ...stack.env, ...env } })
  const setUp = () => upvane(['nats', 'setup', '--dir', directory])
  const { nats, service: natsEnv } = await startShippedNats(directory, setUp)
  ends.push(() => nats.stop())
  const db = openDatabase(stack.databaseUrl)
  ends.push(() => db.close())
  await db.run('update organizations set private_targets = true')
  const orgId = stack.organizationId
  const victim = new Victim({ db, orgId, keys: await addKeys(db, orgId, VICTIM_KEYS) })
  ends.push(() => victim.close())
  victim.follow(await stack.start('start', { env: natsEnv }))
  await victim.settle()
  const lines: string[] = []
  const prepare = async () => {
    lines.length = 0
    while (lines.length < TOKENS)
      lines.push((await upvane(['region', 'add', 'us-east'], natsEnv)).stdout)
  }
  const quiet = await victim.measure('quiet', QUIET_SECONDS)
  const flood = { url: nats.url, caFile: join(directory, 'ca.pem') }
  return {
    victim,
    quiet,
    phases: [],
    prepare,
    async attack(_name, seconds) {
      const reports = await Promise.all(lines.map((line) => send({ ...flood, line, seconds })))
      const sum = (part: keyof JoinReport) => reports.reduce((all, one) => all + one[part], 0)
      return { tally: { 'join sent': sum('sent'), 'join refused': sum('refused') } }
    },
    recover: () => untilQuick(victim, quiet),
  }
}

/** In a process of its own. */
async function send(order: JoinFlood): Promise<JoinReport> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = fork(FLOOD, { execArgv: [], env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  let report: JoinReport = { sent: 0, refused: 0 }
  child.on('message', (one: JoinReport) => void (report = one))
  child.send(order)
  await ended
  return report
}

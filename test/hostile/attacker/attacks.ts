// Every attack by its name, and all of them at once.
import { bodies } from './bodies.ts'
import { calendar } from './calendar.ts'
import { contention, names, passwords, writes } from './contention.ts'
import { everything } from './everything.ts'
import { floods, signIns } from './floods.ts'
import type { Attack } from './grounds.ts'
import { addUp } from './load.ts'
import { drafts, pages } from './markdown.ts'
import { streams } from './streams.ts'
import { servers, whois } from './targets.ts'
import { wholeBodies } from './whole-bodies.ts'

const TOGETHER = [
  drafts,
  pages,
  contention,
  bodies,
  wholeBodies,
  calendar,
  streams,
  servers,
  floods,
]

const together: Attack = {
  async prepare(run) {
    for (const { prepare } of TOGETHER) await prepare?.(run)
  },
  async attack(run) {
    return addUp(await Promise.all(TOGETHER.map(({ attack }) => attack(run))))
  },
}

export const ATTACKS: Readonly<Record<string, Attack>> = {
  bodies,
  calendar,
  contention,
  drafts,
  everything,
  floods,
  names,
  pages,
  passwords,
  servers,
  signIns,
  streams,
  together,
  wholeBodies,
  whois,
  writes,
}

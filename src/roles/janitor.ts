import { startJanitor } from '../engine/janitor.ts'
import type { Part } from '../platform/lifecycle.ts'
import { type Context, openPool } from './context.ts'

const CONNECTIONS = 2

export function startJanitorRole(context: Omit<Context, 'bus'>): Part[] {
  const database = openPool(context, 'janitor', 'upvane_engine', CONNECTIONS)
  const janitor = startJanitor({ database, log: context.log })
  return [
    { name: 'janitor database', stop: () => database.close() },
    { name: 'janitor', stop: janitor.stop },
  ]
}

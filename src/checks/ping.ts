import { type Check, failed } from './check.ts'

type PingTarget = { type: 'PING'; host: string; timeoutSeconds: number }

const PLAN = { count: 3, gapMs: 300 }

/** PING passes if at least one of three echo requests gets a reply. Its response time is their mean. */
export const pingCheck: Check<PingTarget> = {
  toTarget: ({ host, timeoutSeconds }) => ({ type: 'PING', host: host ?? '', timeoutSeconds }),

  async run({ host }, { ping, budgetMs }) {
    const times = await ping(host, { ...PLAN, budgetMs })
    if (times.length === 0)
      return { ...failed('PING_NO_REPLY', `No reply to ${PLAN.count} pings`), silent: true }
    return { outcome: 'OK', responseMs: times.reduce((sum, ms) => sum + ms, 0) / times.length }
  },
}

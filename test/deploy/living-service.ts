// A service on a machine, as its users see it: monitors that must stay up, and a client that sends requests all the time.
import assert from 'node:assert/strict'
import type { Machine } from './machine.ts'

const WAIT_SECONDS = 150

type Traffic = { requests: number; unanswered: number; gapMs: number }
type Monitor = { name: string; type: string; state: string; lastCheckedAt: string | null }

export class LivingService {
  readonly #machine: Machine
  #key = ''
  #heartbeat = ''

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** With the same organization, key and monitors. */
  movedTo(machine: Machine): LivingService {
    const moved = new LivingService(machine)
    moved.#key = this.#key
    moved.#heartbeat = this.#heartbeat
    return moved
  }

  /** An organization, its key, and one monitor for a web server and one for a job. */
  async createMonitors(): Promise<void> {
    const made = await this.#machine.run('upvane org create --name Acme --json')
    const org = /org_[0-9a-z]{26}/.exec(made)?.[0] ?? ''
    const key = await this.#machine.run(
      `upvane key create --org ${org} --name Life --access FULL --json`,
    )
    this.#key = /upv_\w+/.exec(key)?.[0] ?? ''
    const page = { name: 'Web', type: 'HTTP', url: 'http://127.0.0.1/', intervalSeconds: 30 }
    await this.#call('POST', '/monitors', page)
    const job = { name: 'Job', type: 'CRON', intervalSeconds: 60, graceSeconds: 60 }
    const { heartbeatUrl } = (await this.#call('POST', '/monitors', job)) as {
      heartbeatUrl: string
    }
    // The proxy in front of the service is not part of this test.
    this.#heartbeat = heartbeatUrl.replace(/^https:\/\/[^/]+/, 'http://127.0.0.1:8080')
    await this.#machine.run(`curl -sf -o /dev/null ${this.#heartbeat}`)
  }

  /** A request every 0.6 s, below the limit of a key, and a ping every 20 s, each written down with its time. */
  async startTraffic(): Promise<void> {
    const get = `curl -s -o /dev/null -m 10 -w '%{http_code}' -H 'X-API-Key: ${this.#key}' http://127.0.0.1:8080/api/v1/monitors`
    await this.#machine.run(`cat >traffic.sh <<'END'
while :; do echo "$(date +%s%3N) $(${get})"; sleep 0.6; done >/root/traffic
END
cat >pings.sh <<'END'
while :; do curl -s -o /dev/null -m 10 ${this.#heartbeat}; sleep 20; done
END
      systemd-run --quiet --unit=traffic bash /root/traffic.sh
      systemd-run --quiet --unit=pings bash /root/pings.sh`)
  }

  async stopTraffic(): Promise<Traffic> {
    const written = await this.#machine.run('systemctl stop traffic pings; cat traffic')
    const lines = written
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
    const statuses = new Set(lines.map(([, status]) => status))
    // 000: nobody listens. Nothing but an answer or that.
    for (const status of statuses) assert.ok(['200', '000', '500'].includes(status ?? ''), written)
    let since = 0
    let gapMs = 0
    for (const [at, status] of lines) {
      if (status === '200') since = Number(at)
      else if (since > 0) gapMs = Math.max(gapMs, Number(at) - since)
    }
    assert.equal(lines.at(-1)?.[1], '200', 'the last request has no answer')
    const unanswered = lines.filter(([, status]) => status !== '200').length
    return { requests: lines.length, unanswered, gapMs }
  }

  /** Both monitors are UP by a check or ping from now on. */
  async assertChecked(): Promise<void> {
    const now = (await this.#machine.run('date -u +%Y-%m-%dT%H:%M:%S.000Z')).trim()
    let seen: Monitor[] = []
    for (let second = 0; second < WAIT_SECONDS; second++) {
      const answer = await this.#tryCall('GET', '/monitors')
      seen = (answer as { data?: Monitor[] } | undefined)?.data ?? []
      const isFresh = ({ state, lastCheckedAt }: Monitor) =>
        state === 'UP' && (lastCheckedAt ?? '') > now
      if (seen.length === 2 && seen.every(isFresh)) return
      // Without traffic nobody else pings.
      if (second % 20 === 0) await this.#machine.tryRun(`curl -s -o /dev/null ${this.#heartbeat}`)
      await this.#machine.run('sleep 1')
    }
    assert.fail(`not UP by a check after ${now}: ${JSON.stringify(seen)}`)
  }

  async assertNoIncident(): Promise<void> {
    const { data } = (await this.#call('GET', '/incidents')) as { data: unknown[] }
    assert.deepEqual(data, [])
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.#tryCall(method, path, body)
    assert.ok(answer !== undefined, `${method} ${path} has no answer`)
    return answer
  }

  async #tryCall(method: string, path: string, body?: object): Promise<unknown> {
    const data =
      body === undefined ? '' : `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
    const { code, stdout } = await this.#machine.tryRun(
      `curl -sf -X ${method} -H 'X-API-Key: ${this.#key}' ${data} http://127.0.0.1:8080/api/v1${path}`,
    )
    return code === 0 ? JSON.parse(stdout) : undefined
  }
}

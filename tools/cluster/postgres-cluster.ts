// PostgreSQL as a highly available cluster on loopback: Patroni chooses the primary through etcd, HAProxy leads to it, and
// every commit waits for a standby. Everything stops with the process that started it.
import { spawn } from 'node:child_process'
import { chownSync, closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { getPostgres } from '../services/executables.ts'
import { findFreePort } from '../services/ports.ts'
import {
  type Account,
  openTemporaryDirectory,
  type TemporaryDirectory,
} from '../services/temporary-directory.ts'
import { ClusterNode } from './cluster-node.ts'
import { etcdArguments, haproxyConfig, type NodePlace, patroniConfig } from './config.ts'
import { getClusterPrograms } from './programs.ts'

const HOST = '127.0.0.1'
const NODES = 3
const CONNECT_TIMEOUT_MS = 2000
const START_TIMEOUT_MS = 180_000
const POLL_MS = 100
const SHOWN_LOG_LINES = 12

const ROLES = `
  create role upvane_owner login createrole createdb nosuperuser;
  create role upvane login noinherit nosuperuser;`
const STANDBYS = `
  select count(*)::int as standbys, count(*) filter (where sync_state in ('sync', 'quorum'))::int as synchronous
    from pg_stat_replication where state = 'streaming'`

type Home = { directory: string; account: Account }

export class PostgresCluster {
  readonly port: number
  readonly nodes: readonly ClusterNode[]
  /** Holds data, configuration and logs of all programs. */
  readonly directory: string
  readonly #home: TemporaryDirectory

  constructor(port: number, nodes: readonly ClusterNode[], home: TemporaryDirectory) {
    this.port = port
    this.nodes = nodes
    this.directory = home.path
    this.#home = home
  }

  /** The address of whichever node is the primary. */
  databaseUrl(name: string, user = 'upvane'): string {
    return `postgres://${encodeURIComponent(user)}@${HOST}:${this.port}/${encodeURIComponent(name)}`
  }

  /** The database is owned by upvane_owner. */
  async createDatabase(name: string): Promise<void> {
    await this.query(`create database ${pg.escapeIdentifier(name)} owner upvane_owner`)
  }

  async findPrimary(): Promise<ClusterNode | undefined> {
    const answers = await Promise.all(this.nodes.map((node) => node.isPrimary()))
    return this.nodes[answers.indexOf(true)]
  }

  /** Waits until the primary can be lost: every other node follows it, and one of them synchronously. */
  async whole(): Promise<void> {
    const deadlineMs = performance.now() + START_TIMEOUT_MS
    for (let last = 'no answer'; ; ) {
      const [row] = await this.query<{ standbys: number; synchronous: number }>(STANDBYS).catch(
        () => [],
      )
      if (row !== undefined) last = JSON.stringify(row)
      const isFollowed = row?.standbys === this.nodes.length - 1 && row.synchronous > 0
      if (isFollowed && (await this.#canPromote())) return
      if (performance.now() > deadlineMs)
        throw new Error(`The cluster is not whole: ${last}.\n${readTails(this.directory)}`)
      await sleep(POLL_MS)
    }
  }

  // PostgreSQL waits for a standby a moment before etcd names it. Without the name, nobody would be promoted.
  async #canPromote(): Promise<boolean> {
    const answers = await Promise.all(this.nodes.map((node) => node.isSynchronous()))
    return answers.includes(true)
  }

  /** As the superuser, on the primary. */
  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({
      connectionString: this.databaseUrl('postgres', 'postgres'),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  async stop(): Promise<void> {
    await this.#home.close()
  }
}

export async function startPostgresCluster(): Promise<PostgresCluster> {
  const programs = getClusterPrograms()
  const { folder, account } = getPostgres()
  const home = openTemporaryDirectory('upvane-cluster-', 'none.pid', account)
  try {
    const own: Home = { directory: home.path, account }
    const [etcdPort, peerPort, port] = [
      await findFreePort(),
      await findFreePort(),
      await findFreePort(),
    ]
    launch(own, 'etcd', [
      programs.etcd,
      ...etcdArguments(etcdPort, peerPort, join(home.path, 'etcd')),
    ])
    // Patroni waits for seconds before it tries again.
    await untilHealthy(etcdPort)
    const places = await choosePlaces(home.path)
    const nodes = places.map((place) => {
      const settings = { etcdPort, directory: home.path, programs: folder }
      const file = writeConfig(own, `${place.name}.json`, patroniConfig(place, settings))
      return new ClusterNode(place, () => launch(own, place.name, [programs.patroni, file]))
    })
    for (const node of nodes) node.start()
    const file = writeConfig(own, 'haproxy.cfg', haproxyConfig(port, places))
    launch(own, 'haproxy', [programs.haproxy, '-db', '-f', file])
    const cluster = new PostgresCluster(port, nodes, home)
    await cluster.whole()
    await cluster.query(ROLES)
    return cluster
  } catch (error) {
    await home.close()
    throw error
  }
}

async function untilHealthy(etcdPort: number): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const isHealthy = await fetch(`http://${HOST}:${etcdPort}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) return
    if (performance.now() > deadlineMs) throw new Error('etcd did not start')
    await sleep(POLL_MS)
  }
}

async function choosePlaces(directory: string): Promise<NodePlace[]> {
  const places: NodePlace[] = []
  for (let no = 1; no <= NODES; no++) {
    const [port, apiPort] = [await findFreePort(), await findFreePort()]
    places.push({ name: `node-${no}`, port, apiPort, data: join(directory, `data-${no}`) })
  }
  return places
}

function writeConfig({ directory, account }: Home, name: string, text: string): string {
  const file = join(directory, name)
  writeFileSync(file, text, { mode: 0o600 })
  if (account) chownSync(file, account.uid, account.gid)
  return file
}

/** The end of every log: the directory is gone when somebody reads the error. */
function readTails(directory: string): string {
  const names = readdirSync(directory).filter((name) => name.endsWith('.log'))
  return names
    .map((name) => {
      const lines = readFileSync(join(directory, name), 'utf8').trimEnd().split('\n')
      return [`== ${name}`, ...lines.slice(-SHOWN_LOG_LINES)].join('\n')
    })
    .join('\n')
}

/** The directory's watchdog ends it with this process. */
function launch({ directory, account }: Home, name: string, command: readonly string[]): number {
  const [program = '', ...args] = command
  const log = openSync(join(directory, `${name}.log`), 'a')
  const child = spawn(program, args, {
    ...account,
    cwd: directory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: directory },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  // A program that is not there has no pid; its error would come later.
  child.once('error', () => {})
  if (child.pid === undefined) throw new Error(`${program} cannot be started`)
  return child.pid
}

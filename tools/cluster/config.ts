// The configuration files of a cluster on loopback. docs/operating/high-availability.md explains the values.

export type NodePlace = { name: string; port: number; apiPort: number; data: string }

const HOST = '127.0.0.1'
// Patroni requires loop_wait + 2 x retry_timeout <= ttl, and no less than 20 s of ttl since version 3.1.
const TTL_SECONDS = 20
const LOOP_SECONDS = 2
const RETRY_SECONDS = 5
const MAX_CONNECTIONS = 400

/** As JSON, which is YAML too. */
export function patroniConfig(
  place: NodePlace,
  { etcdPort, directory, programs }: { etcdPort: number; directory: string; programs: string },
): string {
  const address = `${HOST}:${place.port}`
  const api = `${HOST}:${place.apiPort}`
  return JSON.stringify({
    scope: 'upvane',
    name: place.name,
    restapi: { listen: api, connect_address: api },
    etcd3: { hosts: [`${HOST}:${etcdPort}`] },
    bootstrap: {
      dcs: dynamicConfig(),
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      // Loopback only and temporary, so no password is needed.
      pg_hba: [
        'local all all trust',
        `host all all ${HOST}/32 trust`,
        `host replication all ${HOST}/32 trust`,
      ],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: place.data,
      bin_dir: programs,
      pgpass: `${directory}/${place.name}.pgpass`,
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
      basebackup: { checkpoint: 'fast' },
      parameters: { unix_socket_directories: directory },
    },
    watchdog: { mode: 'off' },
  })
}

/** Kept in etcd, the same for all nodes. Strict: no commit is acknowledged that only one node has. */
function dynamicConfig() {
  return {
    ttl: TTL_SECONDS,
    loop_wait: LOOP_SECONDS,
    retry_timeout: RETRY_SECONDS,
    synchronous_mode: true,
    synchronous_mode_strict: true,
    // A primary that crashed is replaced at once. Patroni 2 knows the older name.
    primary_start_timeout: 0,
    master_start_timeout: 0,
    postgresql: {
      use_pg_rewind: false,
      use_slots: true,
      parameters: {
        max_connections: MAX_CONNECTIONS,
        synchronous_commit: 'on',
        // In the data directory instead of /dev/shm, so nothing is left there after SIGKILL.
        dynamic_shared_memory_type: 'mmap',
      },
    },
  }
}

/** Leads to the node whose Patroni says that it is the primary. */
export function haproxyConfig(port: number, nodes: readonly NodePlace[]): string {
  const servers = nodes.map(
    ({ name, port: database, apiPort }) =>
      `  server ${name} ${HOST}:${database} check port ${apiPort}`,
  )
  return `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind ${HOST}:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

export function etcdArguments(port: number, peerPort: number, data: string): string[] {
  const [client, peer] = [`http://${HOST}:${port}`, `http://${HOST}:${peerPort}`]
  return [
    ['--name', 'etcd'],
    ['--data-dir', data],
    ['--listen-client-urls', client],
    ['--advertise-client-urls', client],
    ['--listen-peer-urls', peer],
    ['--initial-advertise-peer-urls', peer],
    ['--initial-cluster', `etcd=${peer}`],
  ].flat()
}

// A separate network for one probe: a network namespace with one cable to the host, on which traffic to some ports can
// be cut. Needs root, iproute2 and nft.
import { execFileSync, spawnSync } from 'node:child_process'
import { createServer, connect as dial } from 'node:net'
import { listen } from '../../kit/targets/listen.ts'

const namespaces = { created: 0 }

export function canCreateNamespaces(): boolean {
  const isRoot = process.getuid?.() === 0
  const found = (command: string, ...words: string[]) => spawnSync(command, words).status === 0
  return isRoot && found('ip', 'netns', 'list') && found('nft', '--version')
}

export class NetworkNamespace {
  readonly #name: string
  readonly #subnet: string
  readonly #close: (() => Promise<void>)[] = []

  /** `prefix`: of a private network, unless the host itself is a namespace that nothing can leave. */
  constructor(prefix = '10') {
    namespaces.created += 1
    this.#name = `upvane-${process.pid}-${namespaces.created}`
    this.#subnet = `${prefix}.${200 + namespaces.created}.${process.pid % 250}`
    const [outer, inner] = [
      `uv${process.pid}a${namespaces.created}`,
      `uv${process.pid}b${namespaces.created}`,
    ]
    execFileSync('ip', ['netns', 'add', this.#name])
    run(`ip link add ${outer} type veth peer name ${inner} netns ${this.#name}`)
    run(`ip address add ${this.hostAddress}/24 dev ${outer}`)
    run(`ip link set ${outer} up`)
    this.#within(`ip address add ${this.address}/24 dev ${inner}`)
    this.#within(`ip link set ${inner} up`)
    this.#within('ip link set lo up')
  }

  /** The host's end of the cable. */
  get hostAddress(): string {
    return `${this.#subnet}.1`
  }

  get address(): string {
    return `${this.#subnet}.2`
  }

  /** On the cable, but assigned to no host. */
  get deadAddress(): string {
    return `${this.#subnet}.9`
  }

  get cidr(): string {
    return `${this.#subnet}.0/24`
  }

  /** Command prefix that runs a command in this namespace. */
  get inside(): string[] {
    return ['ip', 'netns', 'exec', this.#name]
  }

  /** Makes a port of the host's loopback reachable from this namespace. Returns the port to use. */
  async forward(toPort: number): Promise<number> {
    const server = createServer((socket) => {
      const onward = dial(toPort, '127.0.0.1')
      socket.pipe(onward).pipe(socket)
      for (const end of [socket, onward]) end.on('error', () => {})
      socket.on('close', () => onward.destroy())
      onward.on('close', () => socket.destroy())
    })
    const { port, close } = await listen(server, this.hostAddress)
    this.#close.push(close)
    return port
  }

  /** From now on traffic to these ports of the host is dropped silently. */
  cut(ports: readonly number[]): void {
    this.#within('nft add table inet cut')
    this.#within('nft add chain inet cut out { type filter hook output priority 0 ; }')
    this.#within(`nft add rule inet cut out tcp dport { ${ports.join(', ')} } drop`)
  }

  heal(): void {
    this.#within('nft delete table inet cut')
  }

  async close(): Promise<void> {
    await Promise.all(this.#close.map((close) => close()))
    // Deleting the namespace removes the cable.
    execFileSync('ip', ['netns', 'del', this.#name])
  }

  #within(command: string): void {
    run([...this.inside, command].join(' '))
  }
}

function run(command: string): void {
  execFileSync('/bin/sh', ['-c', command.replaceAll(/[{};]/g, '\\$&')])
}

// Compose 2 on podman, without a registry and without Docker.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getComposeTools } from './base.ts'
import { getRelease, getStorage, VERSION } from './release.ts'
import { run } from './shell.ts'

const WITH_PODMAN = join(import.meta.dirname, 'with-podman.sh')
const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']

/** Runs a command in namespaces of its own, so that everything it starts ends with it. Returns what it printed. */
export async function runWithCompose(
  command: readonly string[],
  home: string,
  more: NodeJS.ProcessEnv = {},
): Promise<string> {
  await getRelease()
  const { env } = await getStorage()
  const tools = await getComposeTools()
  const config = join(home, 'containers.conf')
  writeFileSync(config, containersConf(home, tools))
  return run(['unshare', ...NAMESPACES, WITH_PODMAN, ...command], {
    cwd: home,
    env: {
      ...env,
      CONTAINERS_CONF: config,
      COMPOSE: join(tools, 'usr/libexec/docker/cli-plugins/docker-compose'),
      UPVANE_IMAGE: `localhost/upvane:${VERSION}-amd64`,
      ...more,
    },
  })
}

/** Limits of this machine: no cgroups of its own, and unusual limits on processes and files. */
function containersConf(home: string, tools: string): string {
  return `
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=20000:20000", "nproc=30000:30000"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
helper_binaries_dir = ["${tools}/usr/lib/podman"]
[network]
network_backend = "netavark"
network_config_dir = "${home}/networks"
`
}

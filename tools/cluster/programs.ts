// The programs of a highly available PostgreSQL, as Debian packages them.
import { findProgram, MissingProgramError } from '../services/executables.ts'

type ClusterPrograms = { patroni: string; etcd: string; haproxy: string }

const MISSING =
  'Patroni, etcd or HAProxy was not found. On Debian: "apt install patroni python3-etcd etcd-server haproxy".'

export function hasClusterPrograms(): boolean {
  return findClusterPrograms() !== undefined
}

export function getClusterPrograms(): ClusterPrograms {
  const found = findClusterPrograms()
  if (found === undefined) throw new MissingProgramError(MISSING)
  return found
}

function findClusterPrograms(): ClusterPrograms | undefined {
  const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map(findProgram)
  if (patroni === undefined || etcd === undefined || haproxy === undefined) return undefined
  return { patroni, etcd, haproxy }
}

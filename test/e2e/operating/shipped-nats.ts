// NATS with the shipped configuration for probes that join by token, over TLS.
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Nats, startNats } from '../../../tools/services/nats.ts'
import type { Environment } from '../../../tools/stack.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'

const SHIPPED = join(import.meta.dirname, '../../../deploy/nats-regions.conf')

/** `setUp` runs `upvane nats setup --dir`. `service` is what the roles of the product need in their environment. */
export async function startShippedNats(
  directory: string,
  setUp: () => Promise<unknown>,
  host = '127.0.0.1',
  webSocketPort = -1,
): Promise<{ nats: Nats; service: Environment }> {
  const at = (name: string) => join(directory, name)
  const authority = createAuthority()
  const { key, cert } = authority.issue('localhost', { san: `DNS:localhost,IP:${host}` })
  writeFileSync(at('ca.pem'), authority.root)
  writeFileSync(at('key.pem'), key)
  writeFileSync(at('cert.pem'), cert)
  authority.remove()
  await setUp()
  copyFileSync(SHIPPED, at('nats-regions.conf'))
  const nats = await startNats({
    host,
    configFile: at('nats-regions.conf'),
    env: {
      NATS_CERT_FILE: at('cert.pem'),
      NATS_KEY_FILE: at('key.pem'),
      NATS_STATE_DIR: at('state'),
      NATS_WEBSOCKET: `127.0.0.1:${webSocketPort}`,
    },
  })
  const service = {
    NATS_URL: nats.url.replace('nats://', 'tls://'),
    NATS_CA_FILE: at('ca.pem'),
    NATS_CREDS_FILE: at('upvane.creds'),
  }
  return { nats, service }
}

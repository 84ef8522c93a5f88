// Lets `upvane doctor` find out whether BASE_URL leads to this installation: only a process with the same master keys
// can sign the number that was sent.
import { methodNotAllowed, noSuchAddress } from '../../platform/api-error.ts'
import type { MasterKeys } from '../../platform/crypto/encryption.ts'
import {
  INSTALLATION_PATH,
  installationProof,
  isChallenge,
} from '../../platform/crypto/installation-proof.ts'
import type { Surface } from './surface.ts'

export function installationSurface(masterKeys: MasterKeys): Surface {
  return {
    prefix: INSTALLATION_PATH,
    serve(request, response, { path, query }) {
      const challenge = new URLSearchParams(query).get('challenge') ?? ''
      if (path !== INSTALLATION_PATH || !isChallenge(challenge)) throw noSuchAddress()
      if (request.method !== 'GET') throw methodNotAllowed('GET')
      const body = JSON.stringify({ proof: installationProof(masterKeys, challenge) })
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': request.requestId,
      })
      response.end(body)
    },
  }
}

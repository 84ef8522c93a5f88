// An incident as a signed file, and the key that checks it.
import { closed, oneOf } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

export const EvidenceFile = closed({
  name: Type.String({ description: 'A name for the file.' }),
  keyId: Type.String({ description: 'Short name of the key that signed it.' }),
  text: Type.String({
    description: 'The file. Save it exactly as it is, in UTF-8: a changed byte invalidates it.',
  }),
})

export const EvidenceKey = closed({
  installation: Type.String({ description: 'Address of this installation.' }),
  algorithm: oneOf(['Ed25519'] as const, { description: 'How files are signed.' }),
  keyId: Type.String({ description: 'Short name of the key.' }),
  publicKey: Type.String({ description: 'The public key, 32 bytes in base64url.' }),
})

export const getEvidenceFile = privateOperation({
  id: 'getEvidenceFile',
  method: 'GET',
  path: '/incidents/{incidentId}/evidence-file',
  who: 'READ_ONLY',
  params: Type.Object({
    incidentId: Type.String({ description: 'Id of the incident.' }),
  }),
  reply: { status: 200, body: EvidenceFile },
})

export const getEvidenceKey = privateOperation({
  id: 'getEvidenceKey',
  method: 'GET',
  path: '/evidence-key',
  who: 'READ_ONLY',
  reply: { status: 200, body: EvidenceKey },
})

export const EVIDENCE_OPERATIONS = [getEvidenceFile, getEvidenceKey] as const

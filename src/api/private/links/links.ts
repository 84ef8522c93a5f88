// Links in emails and alerts, for people who may have no account.
import type { Tenants } from '../../../store/core/tenants.ts'
import type { BoundPrivateOperation } from '../bind.ts'
import { acknowledgementOperations } from './acknowledgement.ts'
import { contactConfirmationOperations } from './contact-confirmation.ts'

export const linkOperations = (tenants: Tenants): readonly BoundPrivateOperation[] => [
  ...contactConfirmationOperations(tenants),
  ...acknowledgementOperations(tenants),
]

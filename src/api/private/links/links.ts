// Links in emails and alerts, for people who may have no account.

import type { Tenants } from '../../../store/core/tenants.ts'
import type { BoundOperation } from '../../http/bind.ts'
import { acknowledgementOperations } from './acknowledgement.ts'
import { contactConfirmationOperations } from './contact-confirmation.ts'

export const linkOperations = (tenants: Tenants): readonly BoundOperation[] => [
  ...contactConfirmationOperations(tenants),
  ...acknowledgementOperations(tenants),
]

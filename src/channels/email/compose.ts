// Encodes an email as the bytes for the relay.
import { toHeaderText } from '../../domain/values/email-text.ts'
import type { RenderedEmail } from './templates.ts'

export type Email = {
  content: RenderedEmail
  /** The name is the sender's, the address the operator's. */
  from: { name: string; address: string }
  to: string
  /** The same for every attempt, so that duplicates are recognized. */
  messageId: string
  date: Date
  /** The thread this email belongs to, so that emails about the same thing are grouped. */
  threadId: string | undefined
  /** For one-click unsubscribe; undefined for emails the recipient requested. */
  list: { id: string; unsubscribe: string } | undefined
}

export async function composeMessage(email: Email): Promise<Buffer> {
  const { content, from, list } = email
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const node = new MailComposer({
    from: { name: toHeaderText(from.name), address: from.address },
    to: { name: '', address: email.to },
    subject: toHeaderText(content.subject),
    messageId: email.messageId,
    date: email.date,
    ...(email.threadId !== undefined && { references: email.threadId }),
    text: content.text,
    html: content.html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': content.locale,
      ...(list && listHeaders(list)),
    },
    // Fixed, so that every attempt sends the same bytes.
    baseBoundary: email.messageId.replaceAll(/[^A-Za-z0-9]/g, ''),
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  return node.build()
}

function listHeaders({ id, unsubscribe }: NonNullable<Email['list']>): Record<string, string> {
  return {
    'List-Id': `<${id}>`,
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

// A mail as the bytes a relay is given.
import MailComposer from 'nodemailer/lib/mail-composer'
import { toHeaderText } from '../../domain/values/email-text.ts'
import type { RenderedEmail } from './templates.ts'

export type Email = {
  letter: RenderedEmail
  /** Its name is the sender's; the address is the operator's. */
  from: { name: string; address: string }
  to: string
  /** The same with every attempt: whoever gets it twice sees that it is one. */
  messageId: string
  date: Date
  /** What it goes on about, so that mails about one thing stand together. */
  threadId: string | undefined
  /** For the reader's one-click unsubscribe; a mail that somebody asked for has none. */
  list: { id: string; unsubscribe: string } | undefined
}

export async function composeMessage(email: Email): Promise<Buffer> {
  const { letter, from, list } = email
  const node = new MailComposer({
    from: { name: toHeaderText(from.name), address: from.address },
    to: { name: '', address: email.to },
    subject: toHeaderText(letter.subject),
    messageId: email.messageId,
    date: email.date,
    ...(email.threadId !== undefined && { references: email.threadId }),
    text: letter.text,
    html: letter.html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': letter.locale,
      ...(list && listHeaders(list)),
    },
    // Attempts of one mail are the same bytes.
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

// Receivers of your own.
import {
  bodyProblem,
  METHODS,
  PLACEHOLDERS,
  TEMPLATE_FORMATS,
  templateProblems,
} from '../template.ts'
import { headersProblem } from '../template-headers.ts'
import { type ChannelRow, HOOK, SECRET, TEXT } from './row.ts'

export const WEBHOOKS = {
  WEBHOOK: {
    label: 'Webhook',
    inSentence: 'webhook',
    fields: {
      url: { ...HOOK, hint: 'Receives each alert as signed JSON.' },
      // Generated with the contact unless the user brings their own.
      secret: {
        ...SECRET,
        isNeverSent: true,
        optional: true,
        format: {
          pattern:
            /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
          message: 'must be whsec_ and 24 to 64 bytes in base64',
        },
        label: 'Signing secret',
        hint: 'Leave empty to generate one (shown once).',
      },
    },
  },
  CUSTOM_WEBHOOK: {
    label: 'Custom webhook',
    inSentence: 'custom webhook',
    fields: {
      url: { ...HOOK, label: 'URL', hint: 'Any HTTPS address. You choose what is sent to it.' },
      method: { ...TEXT, optional: true, options: METHODS, label: 'Method' },
      format: { ...TEXT, optional: true, options: TEMPLATE_FORMATS, label: 'Body format' },
      headers: {
        kind: 'LINES',
        secret: true,
        optional: true,
        problemOf: headersProblem,
        label: 'Headers',
        hint: 'One per line, for example Authorization: Bearer abc.',
      },
      body: {
        kind: 'LINES',
        secret: false,
        optional: true,
        max: 8000,
        problemOf: bodyProblem,
        label: 'Body',
        hint: `Placeholders: ${PLACEHOLDERS.map((name) => `{{${name}}}`).join(' ')}. Leave empty to send all of them.`,
      },
    },
    problemsOf: templateProblems,
  },
} as const satisfies Record<string, ChannelRow>

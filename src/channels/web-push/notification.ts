// An alert as a browser notification: what the service worker receives, and how the push service handles it.
import {
  type Alert,
  alertText,
  headline,
  type Severity,
  severityOf,
  truncate,
} from '../../domain/alerts/alert.ts'
import { MAX_PUSH_TEXT_BYTES } from '../../platform/crypto/push-encryption.ts'

/** Read by `web/public/service-worker.js`. */
export type PushNotification = {
  title: string
  body: string
  /** What a click opens. */
  url: string
  /** A later notification with the same tag replaces it: a recovery replaces its outage. */
  tag: string
  at: string
}

const MAX_TITLE = 150
const MAX_BODY = 600
const MAX_URL = 500
const SHORTEST_BODY = 20

/** JSON that fits into one push message. */
export function toPushText(alert: Alert): Buffer {
  const { thread: tag, at } = alert
  const title = truncate(headline(alert), MAX_TITLE)
  const url = truncate(alert.links.open, MAX_URL)
  const text = alertText(alert)
  for (let length = MAX_BODY; length >= SHORTEST_BODY; length = Math.floor(length / 2)) {
    const notification: PushNotification = { title, body: truncate(text, length), url, tag, at }
    const bytes = Buffer.from(JSON.stringify(notification))
    if (bytes.length <= MAX_PUSH_TEXT_BYTES) return bytes
  }
  throw new Error('The alert is not bounded')
}

const DAY_SECONDS = 86_400
const TEST_SECONDS = 300
const URGENCIES: Record<Severity, string> = { CRITICAL: 'high', WARNING: 'normal', INFO: 'normal' }

/** Topic: of the same topic, a device that was offline gets only the last. It has up to 32 letters and digits. */
export function pushHeaders(alert: Alert): Record<string, string> {
  const isTest = alert.kind === 'TEST'
  const topic = alert.thread.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 32)
  return {
    ttl: String(isTest ? TEST_SECONDS : DAY_SECONDS),
    urgency: isTest ? 'high' : URGENCIES[severityOf(alert)],
    ...(topic !== '' && { topic }),
  }
}

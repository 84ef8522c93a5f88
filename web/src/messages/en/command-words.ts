// Commands of the palette, as people type them. Separate from it, because its button is part of the first load.
/** What may be typed for an action; the first one is completed when it is chosen. */
export const commandWords = {
  acknowledge: ['acknowledge', 'ack'],
  check: ['check', 'check now', 'recheck'],
  pause: ['pause', 'stop'],
  resume: ['resume', 'unpause', 'start'],
  maintenance: ['maintenance', 'start maintenance', 'silence', 'mute', 'snooze'],
  edit: ['edit', 'change'],
} as const

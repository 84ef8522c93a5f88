// The import of monitors from CSV.
export const importText = {
  title: 'Import monitors',
  about: 'From a CSV file with at least the columns name and url, or an export of this list.',
  file: 'CSV file',
  fileHint: 'Up to 1 MB and 1,000 monitors.',
  paste: 'Or paste it here',
  check: 'Check file',
  tooLarge: 'This file is larger than 1 MB. Split it into several files.',
  unreadable: "The file can't be read. Choose it again.",
  cancel: 'Cancel',
  back: 'Back',
  close: 'Close',
  action: 'Import {count, plural, one {# monitor} other {# monitors}}',
  nothing: 'Nothing in this file can be imported.',
  ready: '{count, plural, one {# monitor} other {# monitors}} will be created.',
  existing:
    '{count, plural, one {# row is skipped, because there is already a monitor with this name and target.} other {# rows are skipped, because there is already a monitor with this name and target.}}',
  bad: "{count, plural, one {# row} other {# rows}} can't be imported:",
  ignored: 'Ignored columns: {columns}.',
  room: "{room, plural, =0 {Your plan has no room for more monitors.} one {Your plan has room for # more monitor. The rest won't be created.} other {Your plan has room for # more monitors. The rest won't be created.}}",
  line: 'Line {line}',
  more: 'And {count, plural, one {# more row} other {# more rows}}.',
  preview: 'Monitors to create',
  badRows: 'Rows with problems',
  noName: 'No name',
  progress: '{done} of {total} done',
  progressLabel: 'Import progress',
  done: '{count, plural, one {# monitor} other {# monitors}} imported',
  stopped:
    'The import stopped after {created, plural, one {# monitor} other {# monitors}}. Import the same file again to continue: what is there already is skipped.',
  refused: '{count, plural, one {# monitor} other {# monitors}} could not be created:',
} as const

export const importSentences = {
  csv: {
    empty: 'Choose a file, or paste its text.',
    long: 'Use at most 1 MB and 1,000 rows.',
    says: {
      'must begin with a line of column names, one of them name':
        'Start with a line of column names. One of them must be name.',
      'has no rows below the column names': 'Add a row below the column names.',
      'must have at most 1000 rows': 'Use at most 1,000 rows in one file.',
    },
  },
} as const

/** Of one row, by field. */
export const importRowSentences = {
  type: { other: 'Use one of the types HTTP, KEYWORD, PING, PORT, CRON, DNS, SSL, DOMAIN.' },
  port: { empty: 'Enter a port.', other: 'Use a port from 1 to 65535.' },
  method: { other: 'Use GET, HEAD, POST, PUT, PATCH or DELETE.' },
  keywordMatch: { other: 'Use EXISTS or NOT_EXISTS.' },
  dnsRecordType: { other: 'Use A, AAAA, CNAME, MX, TXT or NS.' },
  intervalSeconds: {
    low: 'Use an interval of at least 30 seconds.',
    high: 'Use an interval of at most 86,400 seconds.',
    says: { 'must be a whole number': 'Use a whole number of seconds.' },
  },
  expectedPeriodSec: {
    low: 'Use at least 60 seconds.',
    high: 'Use at most 30 days.',
    other: 'Use a whole number of seconds.',
  },
  graceSeconds: {
    low: 'Use a whole number of seconds.',
    high: 'Use at most 86,400 seconds.',
    other: 'Use a whole number of seconds.',
  },
  tags: { long: 'Use at most 20 tags of at most 40 characters.' },
} as const

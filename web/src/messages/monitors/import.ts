// The import of monitors from CSV.
import { formatCount, plural } from '../../time/figures.ts'
import type { FieldSentences } from '../field-problems.ts'
import { monitorFormText } from './monitor-form.ts'

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
  action: (count: number) => `Import ${plural(count, 'monitor')}`,
  nothing: 'Nothing in this file can be imported.',
  ready: (count: number) => `${plural(count, 'monitor')} will be created.`,
  existing: (count: number) =>
    `${plural(count, 'row')} ${count === 1 ? 'is' : 'are'} skipped, because there is already a monitor with this name and target.`,
  bad: (count: number) => `${plural(count, 'row')} can't be imported:`,
  ignored: (columns: readonly string[]) => `Ignored columns: ${columns.join(', ')}.`,
  room: (room: number) =>
    room === 0
      ? 'Your plan has no room for more monitors.'
      : `Your plan has room for ${plural(room, 'more monitor')}. The rest won't be created.`,
  line: (line: number) => `Line ${formatCount(line)}`,
  more: (count: number) => `And ${plural(count, 'more row')}.`,
  preview: 'Monitors to create',
  badRows: 'Rows with problems',
  noName: 'No name',
  progress: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} done`,
  progressLabel: 'Import progress',
  done: (count: number) => `${plural(count, 'monitor')} imported`,
  stopped: (created: number) =>
    `The import stopped after ${plural(created, 'monitor')}. Import the same file again to continue: what is there already is skipped.`,
  refused: (count: number) => `${plural(count, 'monitor')} could not be created:`,
}

const whole = 'Use a whole number of seconds.'

export const importSentences: FieldSentences = {
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
}

/** Of one row, by field. */
export const importRowSentences: FieldSentences = {
  ...monitorFormText.problems,
  type: { other: 'Use one of the types HTTP, KEYWORD, PING, PORT, CRON, DNS, SSL, DOMAIN.' },
  port: { empty: 'Enter a port.', other: 'Use a port from 1 to 65535.' },
  method: { other: 'Use GET, HEAD, POST, PUT, PATCH or DELETE.' },
  keywordMatch: { other: 'Use EXISTS or NOT_EXISTS.' },
  dnsRecordType: { other: 'Use A, AAAA, CNAME, MX, TXT or NS.' },
  intervalSeconds: {
    low: 'Use an interval of at least 30 seconds.',
    high: 'Use an interval of at most 86,400 seconds.',
    says: { 'must be a whole number': whole },
  },
  expectedPeriodSec: {
    low: 'Use at least 60 seconds.',
    high: 'Use at most 30 days.',
    other: whole,
  },
  graceSeconds: { low: whole, high: 'Use at most 86,400 seconds.', other: whole },
  tags: { long: 'Use at most 20 tags of at most 40 characters.' },
}

// `upvane nats setup`, `upvane region …` and `upvane probe …`.
import type { Command } from '../cli/command.ts'
import { setUpNats } from './nats-setup.ts'
import { addRegion, listProbesForOperator, listRegionsForOperator, revoke } from './probes.ts'
import { removeRegion } from './remove-region.ts'

type Token = { token: string; region: string; expiresAt: string; line?: string }
type Region = { region: string; probes: number; live: number }

export const PROBE_COMMANDS: readonly Command[] = [
  {
    name: 'nats setup',
    summary: 'write the files that a NATS server and the service need for joining by token',
    options: { dir: { value: 'DIR', text: 'where to write them; default /etc/upvane/nats' } },
    manual: [
      'Creates, once, the keys that sign who may use NATS; they are kept sealed in the database. Then writes\nupvane-auth.conf, which deploy/nats-regions.conf includes, and upvane.creds, which NATS_CREDS_FILE names.',
      'Safe to run again: the keys stay, and the files are written with the probes revoked by now.',
    ],
    examples: ['upvane nats setup --dir /etc/upvane/nats'],
    changes: true,
    run: (context) => setUpNats(context),
  },
  {
    name: 'region add',
    summary: 'print a token that lets one probe join a region',
    arguments: ['region?'],
    options: {
      region: { value: 'REGION', text: '1 to 32 lower-case letters, digits or hyphens' },
      name: { value: 'NAME', text: 'of the probe; default is the region with a number' },
      'expires-in': { value: 'TIME', text: 'up to 24h, which is the default' },
      'nats-url': { value: 'URL', text: 'as the other machine reaches NATS; default is NATS_URL' },
      through: { value: 'URL', text: 'through the web server at this https address, on port 443' },
      'ca-file': { value: 'FILE', text: 'the authority of that web server, if not a public one' },
    },
    manual: [
      'With --through it prints the whole line that joins. The web server passes /probe on to the WebSocket of NATS, as\nthe shipped Caddyfile and nginx.conf do; no other port has to be open.',
      'The token works once and expires after 24 hours. It holds a sign-in: treat it like a password.',
      'On the other machine: upvane probe join, with the token on standard input or in a file.',
    ],
    examples: [
      'upvane region add eu-west',
      'upvane region add eu-west --name fra-1 > token',
      'upvane region add us-east --through https://upvane.example.com',
    ],
    changes: true,
    run: (context) => addRegion(context),
    format: ({ token, line }: Token) => line ?? token,
  },
  {
    name: 'region list',
    summary: 'list regions, oldest first, with how many of their probes are live',
    changes: false,
    run: ({ engine }) => listRegionsForOperator(engine),
    format: (rows: Region[]) =>
      rows.map(({ region, probes, live }) => `${region}  ${live} of ${probes} live`).join('\n'),
  },
  {
    name: 'region remove',
    summary: 'no longer expect probes in a region',
    arguments: ['region?'],
    options: {
      region: { value: 'REGION', text: 'as upvane region list shows it' },
      force: { text: 'even if probes are live there; those that joined by token are revoked' },
    },
    manual: [
      'For a region that was closed or renamed: nobody is notified that it has no live probe. Its history stays. Its\nprobes are forgotten, and those that joined by token revoked. A probe without a token that runs there again adds\nthe region again.',
      'Refuses a region that is the home of an organization: choose another one with upvane org set-region first.',
    ],
    examples: ['upvane region remove default', 'upvane region remove us-east --force'],
    changes: true,
    run: (context) => removeRegion(context),
  },
  {
    name: 'probe list',
    summary: 'list probes with region, version, lateness and when they were last seen',
    changes: false,
    run: ({ engine }) => listProbesForOperator(engine),
  },
  {
    name: 'probe revoke',
    summary: 'disconnect a probe that joined by token, for good',
    arguments: ['name?'],
    options: { name: { value: 'NAME', text: 'as upvane probe list shows it' } },
    manual: [
      'The NATS server disconnects it at once; its checks go to other probes. It cannot come back: to use the\nmachine again, delete its probe file and join with a new token.',
    ],
    examples: ['upvane probe revoke eu-west-1'],
    changes: true,
    run: (context) => revoke(context),
  },
]

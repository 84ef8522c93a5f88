import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AnyValues, CommandError, defineCommand } from '../command.ts'
import { loadCommands } from '../commands/table.ts'
import { findCommand, optionsOf, parseLine } from './parse.ts'

const COMMANDS = await loadCommands()
const nothing = async (): Promise<void> => undefined
const TABLE = [
  defineCommand({
    name: 'things list',
    summary: 'list things',
    options: {
      state: { value: 'STATE', text: 'only these', many: true },
      search: { value: 'TEXT', text: 'only with this text' },
      all: { text: 'all of them' },
    },
    run: nothing,
  }),
  defineCommand({
    name: 'things get',
    summary: 'show a thing',
    arguments: [{ name: 'thing', text: 'its id' }],
    printsJson: true,
    run: nothing,
  }),
  defineCommand({
    name: 'touch',
    summary: 'touch things',
    arguments: [{ name: 'thing', text: 'its id', many: true }],
    run: nothing,
  }),
  defineCommand({
    name: 'run',
    summary: 'run a program',
    options: { times: { value: 'N', text: 'how often' } },
    takesProgram: true,
    run: nothing,
  }),
]

type Parsed = { args?: string[]; options?: AnyValues; program?: string[] }

// biome-ignore format: a table is read by its columns
const good: [line: string, parsed: Parsed][] = [
  ['things list',                             { options: { state: [], search: undefined, all: false } }],
  ['things list --state UP --state DOWN',     { options: { state: ['UP', 'DOWN'], search: undefined, all: false } }],
  ['things list --search=a --all',            { options: { state: [], search: 'a', all: true } }],
  ['things list --search -1dM --all',         { options: { state: [], search: '-1dM', all: true } }],
  ['things get thg_1 --json',                 { args: ['thg_1'], options: { json: true } }],
  ['things get --json thg_1',                 { args: ['thg_1'], options: { json: true } }],
  ['touch a b c',                             { args: ['a', 'b', 'c'], options: {} }],
  ['run -- ./release.sh --times 3',           { program: ['./release.sh', '--times', '3'], options: { times: undefined } }],
  ['run --times 2 -- sh -c ls --help',        { program: ['sh', '-c', 'ls', '--help'], options: { times: '2' } }],
  ['run -- a -- b',                           { program: ['a', '--', 'b'], options: { times: undefined } }],
]
for (const [line, { args = [], options = {}, program = [] }] of good)
  test(`upv ${line}`, () => {
    const { call, wantsHelp } = parseLine(TABLE, line.split(' '), {})
    const { help, ...values } = call.options
    assert.equal(help, false)
    assert.deepEqual(
      { args: [...call.args], options: values, program: [...call.program] },
      { args, options, program },
    )
    assert.equal(wantsHelp, false)
  })

// biome-ignore format: a table is read by its columns
const wrong: [line: string, message: RegExp][] = [
  ['thigns',                  /^there is no command "thigns"\. Did you mean "upv things"\?$/],
  ['things lsit',             /^there is no command "things lsit"\. Did you mean "upv things list"\?$/],
  ['sing',                    /^there is no command "sing"\. "upv help" lists them\.$/],
  ['things',                  /^"upv things" needs one more word: list, get\.$/],
  ['things --json',           /^"upv things" needs one more word: list, get\.$/],
  ['things sing',             /^there is no command "things sing"\. "upv things" has list, get\.$/],
  ['things list x',           /^"x" was not expected here\. See "upv help things list"\.$/],
  ['things get',              /^THING is missing\. See "upv help things get"\.$/],
  ['touch',                   /^THING is missing\./],
  ['things list --sing',      /^Unknown option '--sing'\. See "upv help things list"\.$/],
  ['things list --search',    /^Option '--search <value>' argument missing\. See/],
  ['things list --search --all', /^Option '--search' argument is ambiguous\. See/],
  ['things list --all=x',     /^Option '--all' does not take an argument\. See/],
  ['things get a --profile x', /Unknown option '--profile'/],
  ['run',                     /^give the program to run after --\./],
  ['run --',                  /^give the program to run after --\./],
  ['run ./release.sh',        /^give the program to run after --\./],
]
for (const [line, message] of wrong)
  test(`upv ${line}: is refused`, () => {
    const refused = (error: unknown) =>
      error instanceof CommandError && error.exitCode === 2 && message.test(error.message)
    assert.throws(() => parseLine(TABLE, line.split(' '), {}), refused)
  })

test('a key or a secret on the command line is refused and not repeated', () => {
  for (const secret of ['upv_1234567890', 'whsec_abcdef'])
    assert.throws(
      () => parseLine(TABLE, ['things', 'list', secret], {}),
      ({ message }: Error) => /does not belong/.test(message) && !message.includes(secret),
    )
})

test('--help and -h describe the command, whatever else is wrong; after -- they belong to the program', () => {
  for (const line of ['things get --help', 'things list --sing -h', 'run --help'])
    assert.equal(parseLine(TABLE, line.split(' '), {}).wantsHelp, true)
  assert.equal(parseLine(TABLE, ['run', '--', 'ls', '--help'], {}).wantsHelp, false)
})

test('whatever is typed, parsing ends with a call or a CommandError', () => {
  const words = COMMANDS.flatMap(({ name }) => name.split(' '))
  const options = COMMANDS.flatMap((command) =>
    Object.keys(optionsOf(command)).map((name) => `--${name}`),
  )
  const word = fc.oneof(fc.constantFrom(...words), fc.constantFrom(...options), fc.string())
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (line) => {
      try {
        parseLine(COMMANDS, line, {})
      } catch (error) {
        assert.ok(error instanceof CommandError, String(error))
        assert.equal(error.exitCode, 2)
      }
    }),
  )
})

test('the table: names are unique, of one or two words, and no command hides another', () => {
  const names = COMMANDS.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(name, /^[a-z-]+(?: [a-z-]+)?$/)
  for (const name of names.filter((each) => each.includes(' ')))
    assert.ok(!names.includes(name.split(' ')[0] ?? ''), name)
  for (const command of COMMANDS)
    assert.equal(findCommand(COMMANDS, [...command.name.split(' '), 'x']), command)
})

// The GitHub Action and the GitLab template: their scripts, run in a shell as the services run them, against the
// running product and a server for the comments.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readYaml } from '../../../cli/test/read-yaml.ts'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { listen } from '../../kit/targets/listen.ts'
import { startBench } from './bench.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DEPLOY = join(ROOT, 'deploy/as-code')

type Step = { shell: string; env: Record<string, string>; run: string }
type Action = { inputs: Record<string, { default?: string }>; runs: { steps: [Step] } }
type Job = { before_script?: string[]; script: string[]; rules: { if: string }[] }
type Template = { variables: Record<string, string>; '.upvane': Job } & Record<string, Job>

const action = readYaml(join(DEPLOY, 'github-action/action.yml')) as Action
const template = readYaml(join(DEPLOY, 'gitlab-ci.yml')) as Template

const bench = await startBench()
after(() => bench.stop())
const bin = makePrograms()

/** `upv`, and npm and npx that have installed it already. */
function makePrograms(): string {
  const directory = bench.path('bin')
  mkdirSync(directory)
  const main = join(ROOT, 'cli/src/main.ts')
  const programs = {
    upv: `exec '${process.execPath}' '${main}' "$@"`,
    npm: `case "$*" in
  "install --global sdk.tgz cli.tgz") ;;
  "install --silent --no-save --prefix $RUNNER_TEMP/upv sdk.tgz cli.tgz")
    mkdir -p "$RUNNER_TEMP/upv/node_modules/.bin" && cp "$(command -v upv)" "$RUNNER_TEMP/upv/node_modules/.bin/upv" ;;
  *) exit 9 ;;
esac`,
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(directory, name), 0o755)
  }
  return directory
}

type Comment = { id: number; body: string }

async function startHost(t: { after(end: () => Promise<void>): void }) {
  const comments: Comment[] = []
  const server = createServer(async (incoming, outgoing) => {
    const text = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString()
    if (incoming.method === 'GET') return void outgoing.end(JSON.stringify(comments))
    const { body } = JSON.parse(text) as Comment
    const id = Number(incoming.url?.split('/').at(-1))
    const old = comments.find((each) => each.id === id)
    if (old) old.body = body
    else comments.push({ id: comments.length + 1, body })
    return void outgoing.end('{}')
  })
  const { port, close } = await listen(server)
  t.after(close)
  return { url: `http://127.0.0.1:${port}`, comments }
}

function runScript(
  shell: string[],
  script: string,
  env: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const [program = '', ...args] = [...shell, script]
  const all = { PATH: `${bin}:${process.env['PATH']}`, ...COMPILE_CACHE, ...env }
  return new Promise((resolve) => {
    const options = { cwd: bench.path('.'), env: all }
    const child = execFile(program, args, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

const FILE = (name: string) =>
  `version: 1\nsource: shop\nmonitors:\n  a: { name: ${name}, type: CRON }\n`
const INPUT = /^\$\{\{ (?:inputs\.([a-z-]{1,20})|github\.token) \}\}$/

test('GitHub: plans as a comment that is updated, applies, and takes no other command', async (t) => {
  const { key } = await bench.product.createOrganization()
  const host = await startHost(t)
  const [step] = action.runs.steps
  assert.ok(!step.run.includes('${{'), 'text from a pull request would be part of the script')
  const run = (inputs: Record<string, string>, event = 'pull_request') => {
    const given: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']),
      ),
      url: bench.product.service.baseUrl,
      'api-key': key,
      package: 'sdk.tgz cli.tgz',
      ...inputs,
    }
    const env = Object.entries(step.env).map(([name, value]) => {
      const found = INPUT.exec(value)
      assert.ok(found, value)
      return [name, found[1] === undefined ? 'planted-token' : (given[found[1]] ?? '')]
    })
    return runScript(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'], step.run, {
      ...(Object.fromEntries(env) as Record<string, string>),
      RUNNER_TEMP: bench.path('runner'),
      GITHUB_EVENT_NAME: event,
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_REPOSITORY: 'example/shop',
      GITHUB_API_URL: host.url,
    })
  }
  bench.write('upvane.yaml', FILE('One'))
  const first = await run({})
  assert.equal(first.code, 0, first.output)
  assert.match(host.comments[0]?.body ?? '', /\+ monitors\.a {2}create One/)
  bench.write('upvane.yaml', FILE('Two'))
  assert.equal((await run({})).code, 0)
  assert.equal(host.comments.length, 1)
  assert.match(host.comments[0]?.body ?? '', /create Two/)
  const applied = await run({ command: 'apply', prune: 'delete', 'max-removals': '1' }, 'push')
  assert.equal(applied.code, 0, applied.output)
  assert.equal((await bench.client(key).monitors.list().all()).length, 1)
  assert.equal((await run({ command: 'apply; echo planted' })).code, 2)
  bench.write('odd name; exit 0.yaml', 'version: 2\n')
  assert.equal((await run({ file: 'odd name; exit 0.yaml' })).code, 2)
  assert.ok(!`${first.output}${applied.output}`.includes('planted-token'))
})

test('GitLab: plans as a note with the read-only key, and applies on the default branch', async (t) => {
  const { id, key } = await bench.product.createOrganization()
  const host = await startHost(t)
  const reader = await bench.product.createKey(id, { access: 'READ_ONLY' })
  bench.write('upvane.yaml', FILE('One'))
  const run = (name: string) => {
    const job = template[name]
    assert.ok(job)
    const lines = [...(template['.upvane'].before_script ?? []), ...job.script]
    return runScript(['sh', '-e', '-c'], lines.join('\n'), {
      ...template.variables,
      UPVANE_URL: bench.product.service.baseUrl,
      UPVANE_API_KEY: name === 'upvane-plan' ? '' : key,
      UPVANE_PLAN_KEY: reader,
      UPVANE_GITLAB_TOKEN: 'planted-token',
      UPVANE_PACKAGE: 'sdk.tgz cli.tgz',
      CI_API_V4_URL: host.url,
      CI_PROJECT_ID: '5',
      CI_MERGE_REQUEST_IID: '6',
    })
  }
  const planned = await run('upvane-plan')
  assert.equal(planned.code, 0, planned.output)
  assert.match(host.comments[0]?.body ?? '', /\+ monitors\.a {2}create One/)
  assert.equal((await bench.client(key).monitors.list().all()).length, 0)
  const applied = await run('upvane-apply')
  assert.equal(applied.code, 0, applied.output)
  assert.equal((await bench.client(key).monitors.list().all()).length, 1)
  assert.deepEqual(
    ['upvane-plan', 'upvane-apply'].map((name) => template[name]?.rules[0]?.if),
    ['$CI_PIPELINE_SOURCE == "merge_request_event"', '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'],
  )
  assert.ok(!`${planned.output}${applied.output}`.includes('planted-token'))
})

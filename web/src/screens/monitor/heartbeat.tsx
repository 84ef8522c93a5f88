import { useState } from 'react'
import { monitorText } from '../../messages/monitor.ts'
import { Code, Secret } from '../../ui/copy.tsx'
import type { MonitorScreen } from './monitor-screen.ts'

const text = monitorText.heartbeat

type Snippet = { name: string; text: (url: string) => string }

const SNIPPETS: readonly Snippet[] = [
  {
    name: 'cron',
    text: (url) =>
      `0 3 * * *  /usr/local/bin/backup && curl -fsS -m 10 --retry 3 -o /dev/null ${url}`,
  },
  {
    name: 'bash',
    text: (url) =>
      `#!/bin/sh\n# Reports the exit code and the output; 0 is a success.\nout=$(/usr/local/bin/backup 2>&1); code=$?\ncurl -fsS -m 10 --retry 3 --data-raw "$out" "${url}/$code"`,
  },
  {
    name: 'Python',
    text: (url) =>
      `import urllib.request\n\nrun_job()\nurllib.request.urlopen("${url}", timeout=10)`,
  },
  {
    name: 'Node',
    text: (url) =>
      `await runJob()\nawait fetch('${url}', { method: 'POST', signal: AbortSignal.timeout(10_000) })`,
  },
  {
    name: 'PowerShell',
    text: (url) => `Invoke-Backup\nInvoke-RestMethod -Method Post -TimeoutSec 10 -Uri "${url}"`,
  },
]

const FIRST_PING = (url: string) => `curl -fsS -m 10 --retry 3 -o /dev/null ${url}`

/** The ping URL, with examples for where jobs usually run. */
export function Heartbeat({ screen: { monitor, lastHeartbeatAt } }: { screen: MonitorScreen }) {
  const [chosen, setChosen] = useState(SNIPPETS[0])
  const url = monitor.heartbeatUrl
  return (
    <section className="card">
      <header>
        <h2>{text.title}</h2>
        {url !== null && (
          <div className="segment" role="group" aria-label={text.language}>
            {SNIPPETS.map((snippet) => (
              <button
                key={snippet.name}
                type="button"
                aria-pressed={snippet === chosen}
                onClick={() => setChosen(snippet)}
              >
                {snippet.name}
              </button>
            ))}
          </div>
        )}
      </header>
      <div className="card-body stack">
        {url === null ? (
          <p className="muted">{text.hidden}</p>
        ) : (
          <>
            <p className="muted">{text.about}</p>
            <Secret text={url} label={text.url} />
            {lastHeartbeatAt === null && <FirstPing url={url} />}
            {chosen && <Code title={chosen.name} text={chosen.text(url)} wrap />}
          </>
        )}
      </div>
    </section>
  )
}

function FirstPing({ url }: { url: string }) {
  return (
    <>
      <p>{text.first}</p>
      <Code title={text.terminal} text={FIRST_PING(url)} wrap />
    </>
  )
}

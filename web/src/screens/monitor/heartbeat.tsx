import { useState } from 'react'
import { Code, Secret } from '../../ui/copy.tsx'
import type { MonitorScreen } from './monitor-screen.ts'

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
      `#!/bin/sh\n# The exit code and the last words are reported; 0 is a success.\nout=$(/usr/local/bin/backup 2>&1); code=$?\ncurl -fsS -m 10 --retry 3 --data-raw "$out" "${url}/$code"`,
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

/** The ping URL, with examples for where jobs usually run. */
export function Heartbeat({ screen: { monitor } }: { screen: MonitorScreen }) {
  const [chosen, setChosen] = useState(SNIPPETS[0])
  const url = monitor.heartbeatUrl
  return (
    <section className="card">
      <header>
        <h2>Heartbeat</h2>
        {url !== null && (
          <div className="segment" role="group" aria-label="Language">
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
          <p className="muted">Whoever may change this monitor sees the address its job calls.</p>
        ) : (
          <>
            <p className="muted">
              Call this address each time the job has run. Whoever knows it can report for the job.
            </p>
            <Secret text={url} label="Heartbeat address" />
            {chosen && <Code title={chosen.name} text={chosen.text(url)} />}
          </>
        )}
      </div>
    </section>
  )
}

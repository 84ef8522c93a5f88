import { useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Code, Secret } from '../../ui/copy.tsx'

/** The only time the key is shown, with a ready-to-run command. */
export function KeyStep({ onDone, onSkip }: { onDone: () => void; onSkip: () => void }) {
  const create = useWrite('POST /keys')
  if (create.data !== undefined)
    return (
      <div className="stack">
        <p className="muted">Copy it now: it is not shown again.</p>
        <Secret text={create.data.key} label="API key" />
        <Code title="curl" text={curlLine(create.data.key)} />
        <div className="actions">
          <Button kind="primary" size="lg" onClick={onDone}>
            I have copied it
          </Button>
        </div>
      </div>
    )
  return (
    <div className="stack">
      <p className="muted">Everything here can be done by the API as well.</p>
      <div className="actions">
        <Button
          kind="primary"
          size="lg"
          busy={create.isPending}
          onClick={() =>
            create.mutate({ body: { name: 'First key', access: 'FULL', expiresAt: null } })
          }
        >
          Make a key
        </Button>
        <Button kind="ghost" size="lg" onClick={onSkip}>
          Skip
        </Button>
      </div>
    </div>
  )
}

const curlLine = (key: string): string =>
  `curl -s ${window.location.origin}/api/v1/monitors -H 'X-API-Key: ${key}'`

// Lets a region see a target work: only then may it decide about it. Targets on loopback are private, so no region tries
// them by itself.
import assert from 'node:assert/strict'

export async function proveRegion(
  { baseUrl, key }: { baseUrl: string; key: string },
  monitorId: string,
  region: string,
): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/ext/v1/monitors/${monitorId}/checks`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ region }),
  })
  assert.equal(answer.status, 200, await answer.text())
}

type Request = { method: string; url: string; headers: Record<string, string>; body: string }

/** A curl command that sends the same request. Signatures are not stored, so it has none. */
export function toCurl({ method, url, headers, body }: Request): string {
  const lines = [
    `curl -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`),
    `  --data-raw ${quote(body)}`,
  ]
  return lines.join(' \\\n')
}

/** A shell interprets nothing inside single quotes, so a quote itself must be escaped outside them. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

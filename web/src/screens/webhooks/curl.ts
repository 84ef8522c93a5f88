type Request = { method: string; url: string; headers: Record<string, string>; body: string }

/** A command line that sends the same request. The signature is not kept anywhere, so it cannot be in it. */
export function toCurl({ method, url, headers, body }: Request): string {
  const lines = [
    `curl -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)}`),
    `  --data-raw ${quote(body)}`,
  ]
  return lines.join(' \\\n')
}

/** Inside single quotes a shell reads nothing, so the quote itself is set outside of them. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

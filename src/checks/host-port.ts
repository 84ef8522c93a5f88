// DNS, SSL and DOMAIN monitors accept a bare host, `host:port` or any URL: only host and port matter.

type HostPort = { host: string; port: number | undefined }

export function parseHostPort(text: string): HostPort {
  const authority = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  // "https" because it hides only port 443, which a missing port means here anyway.
  const url = URL.parse(`https://${authority}`)
  return {
    host: url?.hostname ?? authority,
    port: url === null || url.port === '' ? undefined : Number(url.port),
  }
}

// Monitor types: the name, and what is checked.
export const monitorTypeText = {
  HTTP: { word: 'HTTP', about: 'Website or API' },
  KEYWORD: { word: 'Keyword', about: 'Text on a page' },
  PING: { word: 'Ping', about: 'Host is reachable' },
  PORT: { word: 'Port', about: 'TCP port is open' },
  CRON: { word: 'Cron', about: 'Scheduled job' },
  DNS: { word: 'DNS', about: 'DNS record' },
  SSL: { word: 'SSL', about: 'Certificate expiry' },
  DOMAIN: { word: 'Domain', about: 'Domain expiry' },
} as const

// What does an HTTPS check cost in total, against bare node:https? Same as engine-rate.ts, at a lower rate.
process.argv.push('--scheme', 'https')
await import('./engine-rate.ts')

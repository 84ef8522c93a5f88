// What does an HTTPS check cost all in, against bare node:https? The same as engine-rate.ts, at a lower rate.
process.argv.push('--scheme', 'https')
await import('./engine-rate.ts')

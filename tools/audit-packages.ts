// Fails if a package of the product has a serious known vulnerability or a wrong signature.
import { auditSignatures, auditVulnerabilities } from './package-audit.ts'

const verdicts = {
  vulnerabilities: await auditVulnerabilities(process.env),
  signatures: await auditSignatures(process.env),
}
for (const [name, { outcome, detail }] of Object.entries(verdicts)) {
  if (outcome === 'NOT_ANSWERED')
    console.warn(`WARNING: ${name} were not checked: the registry did not answer (${detail})`)
  else console.log(`${name}: ${outcome === 'PASSED' ? 'ok' : 'FAILED'}, ${detail}`)
  if (outcome === 'FAILED') process.exitCode = 1
}

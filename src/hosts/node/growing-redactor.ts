import { type Redact, type RedactorOptions, redactor } from '../../core/tools/index.js'

/** A redactor of secrets of which more become known while it is used: a header that a person has just typed. */
export function growingRedactor(secrets: readonly string[], options: Omit<RedactorOptions, 'secrets'>): Redact {
  let known = -1
  let redact: Redact
  return (value) => {
    if (secrets.length !== known) redact = redactor({ ...options, secrets })
    known = secrets.length
    return redact(value)
  }
}

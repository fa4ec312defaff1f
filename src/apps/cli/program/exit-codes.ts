import type { FailureCode } from '../../../core/errors.js'

export const interrupted = 130

/** The one place where a failure becomes an exit code. 2: the command should be typed differently. */
export const exitCodes: Record<FailureCode, number> = {
  'invalid-input': 2,
  'unknown-tool': 2,
  ambiguous: 2,
  path: 2,
  'not-found': 3,
  denied: 4,
  'needs-approval': 4,
  network: 5,
  conflict: 6,
  timeout: 1,
  'too-large': 1,
  'not-utf8': 1,
  internal: 1,
}

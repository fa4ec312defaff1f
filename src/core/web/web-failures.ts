import { Failure } from '../errors.js'

// Failures of loading a page, which every host reports in the same words.

export function tooManyRedirects(limit: number, { host }: URL): Failure {
  return new Failure('network', `More than ${limit} redirects, the last from ${host}.`)
}

/** The user approved one site, and the page is on another. */
export function redirectsElsewhere(from: string, to: string): Failure {
  return new Failure('denied', `${from} redirects to another site, which was not approved: ${to}`, {
    hint: 'To load that page, request its URL.',
  })
}

export function pageTooSlow(ms: number): Failure {
  return new Failure('timeout', `The page did not load within ${ms / 1000} seconds.`)
}

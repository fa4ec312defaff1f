import { Failure } from '../../errors.js'

/** An address as a person should see it before it is loaded. The host checks it again, and where it leads. */
export function webAddress(text: string): URL {
  const wanted = text.trim()
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f\\]/.test(wanted) || !URL.canParse(wanted)) {
    throw new Failure('invalid-input', `Not a web address: ${shown(wanted)}`, {
      hint: 'Give it in full, as https://example.org/page.',
    })
  }
  const url = new URL(wanted)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Failure('invalid-input', `Only http and https addresses can be loaded: ${shown(wanted)}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure('invalid-input', 'An address with a user name or password is not loaded.')
  }
  url.hash = ''
  return url
}

function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

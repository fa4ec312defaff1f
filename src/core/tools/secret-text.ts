export const mask = '[redacted]'

/** Whether what is called so is a secret by its name: `api_key`, `X-Auth-Token`, `clientSecret`; not `max_tokens`. */
export function isSecretName(name: string): boolean {
  return secretName.test(
    name
      .slice(0, 200)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
}

const secretName =
  /(?:authorization|apikey|accesskey|privatekey|signingkey|encryptionkey|secret|secretkey|token|password|passwd|passphrase|passcode|pwd|cookie|cookies|credential|credentials|connectionstring)$|^(?:auth|bearer|jwt|pass|setcookie|secret|password)$|^(?:secret|password|apikey|credential)/

/** Whether a text could only have been made by a machine: one long word with digits in it. */
export function isOpaque(text: string): boolean {
  return /^[\w+/=.-]{20,500}$/.test(text) && /\d/.test(text)
}

/** Masks secrets in a text: the known ones exactly, others by how they look or by the word before them. */
export function secretMask(secrets: readonly string[]): (text: string) => string {
  const known = knownSecrets(secrets)
  return (text) => {
    let clean = text
    for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, mask)
    if (!suspicious.test(clean)) return clean
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
    return clean
  }
}

/** Each as it is and as it looks in a URL or in JSON; the longest first, since one may be part of another. */
function knownSecrets(secrets: readonly string[]): string[] {
  const spellings = secrets
    .map((secret) => secret.trim())
    .filter(({ length }) => length >= 4)
    .flatMap((secret) => [secret, inUrl(secret), JSON.stringify(secret).slice(1, -1)])
  return [...new Set(spellings)].sort((a, b) => b.length - a.length)
}

function inUrl(secret: string): string {
  try {
    return encodeURIComponent(secret)
  } catch {
    return secret
  }
}

const word =
  'api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|client[-_ ]?secret|secret|auth[-_ ]?token|access[-_ ]?token|refresh[-_ ]?token|id[-_ ]?token|token|password|passwd|passphrase|pwd|authorization|cookie|credential|session[-_ ]?id'

/** Most texts have nothing of the kind; one look tells. */
const suspicious = new RegExp(
  `${word}|bearer|basic |-----BEGIN|://[^/\\s]*@|[?&#;][\\w.-]*(?:key|sig|signature)=|eyJ|AIza|AKIA|ASIA|ya29|sk[-_]|rk_|pk_|gh[pousr]_|github_pat|glpat|xox|xapp|hf_|gsk_|xai-|pplx-|npm_|r8_|SG\\.|AGE-SECRET`,
  'i',
)

/** Whether a secret may have begun in a text that is still being written. */
export const maySpellSecret = (text: string): boolean => suspicious.test(text)

/** Letters, digits and what keys are written with; not inside a longer word. */
const prefixed = [
  '(?:sk|rk|pk)[-_][\\w-]{10,}',
  'AIza[\\w-]{10,}',
  'A[KS]IA[A-Z0-9]{12,}',
  'ya29\\.[\\w.-]{10,}',
  'gh[pousr]_\\w{10,}',
  'github_pat_\\w{10,}',
  'glpat-[\\w-]{10,}',
  'xox[a-z]-[\\w-]{8,}',
  'xapp-[\\w-]{8,}',
  'hf_\\w{10,}',
  'gsk_\\w{10,}',
  'xai-[\\w-]{10,}',
  'pplx-[\\w-]{10,}',
  'npm_\\w{10,}',
  'r8_\\w{10,}',
  'SG\\.[\\w-]{10,}\\.[\\w-]{10,}',
  'AGE-SECRET-KEY-1\\w{10,}',
  'eyJ[\\w-]{8,}\\.[\\w-]{4,}(?:\\.[\\w-]*)?',
].join('|')

const patterns: [RegExp, string][] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g, mask],
  // The whole of a header that carries a secret, up to the end of the line or the closing quote.
  [
    /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)(["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[redacted\])[^"'\r\n]+/gi,
    `$1$2${mask}`,
  ],
  [/\b(bearer\s{1,4})[\w.~+/=-]{8,}/gi, `$1${mask}`],
  [/\b(basic\s{1,4})(?=[A-Za-z0-9+/]*[0-9=])[A-Za-z0-9+/]{8,}={0,2}/gi, `$1${mask}`],
  [/([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@"']{1,500}@/gi, `$1${mask}@`],
  [new RegExp(`([?&#;](?:[\\w.-]{0,40}[-_.])?(?:key|sig|signature|${word})=)[^&#\\s"']+`, 'gi'), `$1${mask}`],
  [new RegExp(`(^|[^A-Za-z0-9])(?:${prefixed})`, 'g'), `$1${mask}`],
  // password=hunter2, "token": "abc123…"; after a colon in prose only what looks made by a machine.
  [new RegExp(`((?:${word})s?["']?\\s{0,4}=\\s{0,4}["']?)(?!\\[redacted\\])[^\\s"'&,;]{4,}`, 'gi'), `$1${mask}`],
  [new RegExp(`((?:${word})s?["']?\\s{0,4}:\\s{0,4}["']?)(?=[^\\s"',;]*[0-9])[^\\s"',;\\[]{6,}`, 'gi'), `$1${mask}`],
  [
    new RegExp(
      `((?:${word})s?["']?(?:\\s{1,4}(?:is|was|provided|of))?[\\s:"']{1,4})(?=[A-Za-z+/=_.-]*[0-9])[A-Za-z0-9+/=_.-]{20,}`,
      'gi',
    ),
    `$1${mask}`,
  ],
]

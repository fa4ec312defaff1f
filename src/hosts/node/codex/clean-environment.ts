type Environment = Readonly<Record<string, string | undefined>>

/** What a program needs to start, to find its settings and to reach the network. No key of ours or anyone's is among it. */
const passed = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TMPDIR',
  'TZ',
  'CODEX_HOME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CODEX_CA_CERTIFICATE',
  // Windows
  'SYSTEMROOT',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
  'TMP',
  'PATHEXT',
])

/** The environment of Codex's process: that, and what the settings name. */
export function cleanEnvironment(environment: Environment, named: readonly string[]): Record<string, string> {
  const isPassed = (name: string) => passed.has(name.toUpperCase()) || name.startsWith('LC_') || named.includes(name)
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isPassed(entry[0]),
    ),
  )
}

/** What a server needs to find programs, its home and its language. Keys of ours are not among it. */
const passedOn =
  process.platform === 'win32'
    ? ['PATH', 'PATHEXT', 'SYSTEMROOT', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMP']
    : ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TMP', 'TEMP']

/** The environment of a server: the few names every program needs, and what is configured for it. */
export function childEnvironment(
  environment: Record<string, string | undefined>,
  configured: Record<string, string> = {},
): Record<string, string> {
  const own = passedOn.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]] as const]))
  return { ...Object.fromEntries(own), ...configured }
}

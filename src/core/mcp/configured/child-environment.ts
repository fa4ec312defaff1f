/** What a server needs to find programs, its home and its language. Keys of ours are not among it. */
const passedOn = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TMP', 'TEMP']
const passedOnInWindows = ['PATH', 'PATHEXT', 'SYSTEMROOT', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP', 'TMP']

/** The environment of a server: the few names every program needs, and what is configured for it. */
export function childEnvironment(
  environment: Record<string, string | undefined>,
  platform: string,
  configured: Record<string, string> = {},
): Record<string, string> {
  const own: Record<string, string> = {}
  for (const name of platform === 'win32' ? passedOnInWindows : passedOn) {
    const value = environment[name]
    if (value !== undefined) own[name] = value
  }
  return { ...own, ...configured }
}

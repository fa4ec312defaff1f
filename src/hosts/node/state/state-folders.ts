import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** Where Notewright keeps its own things: never inside a vault unless NOTEWRIGHT_HOME says so. */
export interface StateFolders {
  configFile: string
  /** What must not be lost: journals. */
  state: string
  /** What can be made again: indexes. */
  cache: string
  /** The desktop's trash, where its form is an open standard: not ours, but where deleted notes may go. */
  systemTrash?: string
}

export interface Surroundings {
  environment: Record<string, string | undefined>
  platform: NodeJS.Platform
  home: string
  /** What a relative NOTEWRIGHT_HOME is relative to. */
  currentFolder: string
}

export function stateFolders(surroundings: Surroundings = processSurroundings()): StateFolders {
  const { environment, platform, home, currentFolder } = surroundings
  const trash = systemTrash(surroundings)
  const own = environment.NOTEWRIGHT_HOME
  if (own) {
    const root = resolve(currentFolder, own)
    return { configFile: join(root, 'config.json'), state: join(root, 'state'), cache: join(root, 'cache'), ...trash }
  }
  const folder = (name: string, fallback: string) => join(absolute(environment[name]) ?? fallback, 'notewright')
  const [config, state, cache] = fallbacks(platform, home, environment)
  return {
    configFile: join(folder('XDG_CONFIG_HOME', config), 'config.json'),
    state: folder('XDG_STATE_HOME', state),
    cache: folder('XDG_CACHE_HOME', cache),
    ...trash,
  }
}

/** What this process was started with. */
export function processSurroundings(): Surroundings {
  return { environment: process.env, platform: process.platform, home: homedir(), currentFolder: process.cwd() }
}

// The XDG specification: a path that is not absolute is to be ignored.
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined
}

function systemTrash({ environment, platform, home }: Surroundings): Pick<StateFolders, 'systemTrash'> {
  if (platform === 'win32' || platform === 'darwin') return {}
  return { systemTrash: join(absolute(environment.XDG_DATA_HOME) ?? join(home, '.local/share'), 'Trash') }
}

function fallbacks(platform: NodeJS.Platform, home: string, environment: Surroundings['environment']): string[] {
  if (platform === 'win32') {
    const roaming = environment.APPDATA || join(home, 'AppData', 'Roaming')
    const local = environment.LOCALAPPDATA || join(home, 'AppData', 'Local')
    return [roaming, join(local, 'State'), join(local, 'Cache')]
  }
  const config = join(home, '.config')
  if (platform === 'darwin') return [config, join(home, 'Library/Application Support'), join(home, 'Library/Caches')]
  return [config, join(home, '.local/state'), join(home, '.cache')]
}

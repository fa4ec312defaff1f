import { join } from 'node:path'
import type { NotebookSettings } from '../../src/hosts/node/open-notebook.js'

/** A vault with all of Notewright's own files below `home`, and the settings of someone who has changed none. */
export function placeOf(vault: string, home: string): NotebookSettings {
  const folders = { configFile: join(home, 'config.json'), state: join(home, 'state'), cache: join(home, 'cache') }
  return { root: vault, config: { exclude: [], journal: { changes: 20, days: 30, megabytes: 1000 } }, folders }
}

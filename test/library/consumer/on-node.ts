import { homedir } from 'node:os'
import { type Config, type Failure, type FolderNotebook, openNotebook, readConfig, stateFolders } from 'notewright'
import { Failure as CoreFailure } from 'notewright/core'

const { env: environment, platform } = process
const folders = stateFolders({ environment, platform, home: homedir(), currentFolder: '.' })
const { config } = await readConfig({ file: folders.configFile, environment })
export const notebook: FolderNotebook = await openNotebook({ root: '.', config, folders })
export const level: 'locked' | 'read-only' | 'ask-all' | 'ask' | 'edit' | 'auto' = config.consent
export const web: Config['web']['searchEngine'] = 'searxng'
export const same: typeof Failure = CoreFailure
// @ts-expect-error There is no such setting.
config.nonsense

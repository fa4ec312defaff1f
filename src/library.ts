/** What `import … from 'notewright'` gives on Node: everything of the core, and a folder of notes opened on this machine. */
export * from './core/index.js'
export { type Config, type ConfigInput, type LoadedConfig, readConfig } from './hosts/node/config/index.js'
export {
  type IndexReport,
  type Notebook,
  type NotebookPlace,
  type NotebookStatus,
  openNotebook,
  type UpdateOptions,
} from './hosts/node/open-notebook.js'
export {
  openToolbox,
  type Toolbox,
  type ToolboxPlace,
  type ToolboxSession,
} from './hosts/node/open-toolbox.js'
export { type StateFolders, type Surroundings, stateFolders } from './hosts/node/state/index.js'

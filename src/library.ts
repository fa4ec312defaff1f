/** What `import … from 'notewright'` gives on Node: everything of the core, and a folder of notes opened on this machine. */
export * from './core/index.js'
export { type ConfigInput, type LoadedConfig, readConfig } from './hosts/node/config/index.js'
// Instead of the core's, which is given a vault and a store: here they are a folder and a file.
export { type FolderNotebook, type NotebookSettings, openNotebook } from './hosts/node/open-notebook.js'
export {
  openToolbox,
  type Toolbox,
  type ToolboxPlace,
  type ToolboxSession,
} from './hosts/node/open-toolbox.js'
export { type StateFolders, type Surroundings, stateFolders } from './hosts/node/state/index.js'

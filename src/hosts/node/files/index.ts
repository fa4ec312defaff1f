export { type Fault, type FaultyFiles, faultyFiles } from './faulty-files.js'
export type {
  FileAccess,
  FileStat,
  FolderItem,
  OpenFolder,
  StampedItem,
} from './file-access.js'
export { insideFolder } from './inside-folder.js'
export { type MemoryFiles, memoryFiles } from './memory-files.js'
export { nodeFiles } from './node-files.js'
export { type Refusal, refusingFiles } from './refusing-files.js'
export { makeFolders, readWhole, writeAll, writeNew } from './whole-files.js'

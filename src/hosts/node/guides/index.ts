export { type FolderGuides, folderGuides } from './folder-guides.js'

export { type RepliesFile, repliesFile } from './replies-file.js'

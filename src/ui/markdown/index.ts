export { MarkdownView } from './markdown-view.js'

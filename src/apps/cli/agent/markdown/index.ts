export { type MarkdownStream, markdownStream } from './markdown-stream.js'

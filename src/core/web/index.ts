export { checkUrl, notPublic, portOf } from './check-url.js'
export { decodeText } from './decode-text.js'
export type { PageReader } from './readable/page-document.js'
export { readablePage } from './readable/readable-page.js'

export { checkUrl, notPublic, pageTooSlow, portOf, redirectsElsewhere, tooManyRedirects } from './check-url.js'
export { decodeText } from './decode-text.js'
export { extractPage, type PageReader } from './readable-page.js'

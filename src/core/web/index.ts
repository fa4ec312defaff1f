export { checkUrl, notPublic, portOf } from './check-url.js'
export { decodeText } from './decode-text.js'
export { extractPage, type PageReader } from './readable-page.js'
export { pageTooSlow, redirectsElsewhere, tooManyRedirects } from './web-failures.js'

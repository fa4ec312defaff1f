export { indexedDbStore } from './indexed-db-store.js'

export { type SqliteStore, sqliteStore } from './sqlite-store.js'

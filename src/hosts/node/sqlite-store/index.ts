export { contentsOf, type PreparedBatch, prepareBatch } from './prepare-batch.js'
export { type SqliteStore, sqliteStore } from './sqlite-store.js'

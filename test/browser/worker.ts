import {
  callsOver,
  indexingWorker,
  memoryStore,
  openVaultIndex,
  remoteReading,
  type ThreadPort,
} from '../../src/core/vault-index/index.js'
import { searchCall } from './search-call.js'

const page = callsOver(globalThis as unknown as ThreadPort)
const vault = remoteReading(page)
const store = memoryStore()
indexingWorker(page, async () => ({ vault, store }))
page.answer(searchCall, async (queries) => {
  const index = await openVaultIndex({ vault, store })
  return Promise.all(queries.map((query) => index.search({ query, explain: true })))
})

import {
  indexingWorker,
  memoryStore,
  openVaultIndex,
  remoteVault,
  rpcOverPort,
  type ThreadPort,
} from '../../src/core/index/index.js'
import { searchCall } from './search-call.js'

const page = rpcOverPort(globalThis as unknown as ThreadPort)
const vault = remoteVault(page)
const store = memoryStore()
indexingWorker(page, async () => ({ vault, store }))
page.answer(searchCall, async (queries) => {
  const index = await openVaultIndex({ vault, store })
  return Promise.all(queries.map((query) => index.search({ query, explain: true })))
})

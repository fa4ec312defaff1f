import { rpcMethod, type SearchAnswer } from '../../src/core/index/index.js'

/** The search that the page requests from its worker when the index is ready. */
export const searchCall = rpcMethod<string[], SearchAnswer[]>('search')

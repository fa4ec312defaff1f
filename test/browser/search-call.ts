import { call, type SearchAnswer } from '../../src/core/vault-index/index.js'

/** What the page asks of its worker when the index is made. */
export const searchCall = call<string[], SearchAnswer[]>('search')

import type { SearchAnswer } from '../../../core/vault-index/index.js'
import { SearchPanel, type SearchWish } from '../../../ui/index.js'
import { postJson } from './ask-server.js'

const ask = (wish: SearchWish) => postJson<SearchAnswer>('search', wish)

export function SearchPane() {
  return (
    <div class="page-search">
      <SearchPanel ask={ask} />
    </div>
  )
}

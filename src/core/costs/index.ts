export { costOf } from './cost-of.js'
export { type Price, pricesAsOf } from './price-table.js'

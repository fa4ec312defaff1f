export { type BaseDefinition, type BaseView, baseQuery, parseBase, summarize, viewNamed } from './base-definition.js'
export { type Filter, type NoteQuery, type QueryAnswer, type QuerySource, runQuery, type SortKey } from './run-query.js'

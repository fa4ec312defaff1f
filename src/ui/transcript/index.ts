export { foldEvent } from './fold-event.js'
export * from './transcript-state.js'

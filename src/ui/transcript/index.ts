export { foldEvents } from './fold-events.js'
export * from './transcript-state.js'
export { type Telling, useTranscript } from './use-transcript.js'
export { whyFound } from './why-found.js'

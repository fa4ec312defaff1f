export { contentStems } from './content-stems.js'
export { fitInput, segmentVectors } from './meanings.js'
export { mergeSegments } from './merge.js'
export type { NoteText } from './note-text.js'
export { notesWithout } from './notes-without.js'

export { rank } from './rank.js'

export type { Segment } from './segment.js'
export { openSegment, openStored } from './segment.js'

export { segmentBuilder } from './segment-builder.js'
export { segmentHead } from './segment-format.js'

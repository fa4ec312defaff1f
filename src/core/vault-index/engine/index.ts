export { contentStems } from './content-stems.js'
export { likeNote, type NotePlace, placeOf, type TellingStem } from './like-note.js'
export { fitInput, segmentVectors } from './meanings.js'
export { type Mention, notesMentionedIn, notesMentioning } from './mentions.js'
export { mergeSegments } from './merge.js'
export { baseName } from './names.js'
export type { NoteText } from './note-text.js'
export { notesWithout } from './notes-without.js'

export { rank } from './rank.js'

export type { Segment } from './segment.js'
export { openSegment, openStored } from './segment.js'

export { segmentBuilder } from './segment-builder.js'
export { segmentHead } from './segment-format.js'
export { TopScores } from './top-scores.js'

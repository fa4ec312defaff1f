/** A set of documents as a searchable engine: each document is a note, chunked the way notes are. */
export function indexSet(engine, docs, { chunked = true, seed = 1 } = {}) {
  const builder = engine.segmentBuilder()
  for (const [at, doc] of docs.entries()) builder.add(noteText(engine, doc, at + 1, chunked))
  const segment = engine.openSegment(builder.build())
  const model = run(engine.fitLsa(engine.fitInput([segment], undefined, seed)))
  const vectors = engine.openVectors(run(engine.segmentVectors(segment, model)))
  return { segments: [{ segment, vectors }], model }
}

function noteText(engine, { title, text }, id, chunked) {
  const chunks = chunked ? engine.parseNote('note.md', text).chunks.map((chunk) => chunk.text) : [text]
  return { id, path: '', title, names: [], extra: '', chunks }
}

export function run(generator) {
  for (;;) {
    const { done, value } = generator.next()
    if (done) return value
  }
}

/** Pieces of 200 words: the speed of the engine without that of the Markdown scanner. */
export function splitText(text) {
  const words = text.split(/(?<=\s)/)
  const out = []
  for (let at = 0; at < words.length; at += 200) out.push(words.slice(at, at + 200).join(''))
  return out
}

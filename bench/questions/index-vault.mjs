import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { bundle } from '../../scripts/bundle.mjs'
import { cacheFolder, repository } from '../data.mjs'
import { run } from '../retrieval/index-set.mjs'
import { engineModules } from '../retrieval/load-engine.mjs'
import { noteFiles } from '../vaults/note-files.mjs'

/**
 * A vault as a searchable engine, made the way an index run makes it. What was made is kept until the code that makes
 * it changes, so that trying another constant of the ranking costs seconds.
 */
export async function indexVault(engine, name, folder, root = repository) {
  const files = noteFiles(folder)
  const kept = join(cacheFolder, 'questions', `${name}-${await makingOf(root)}`)
  if (!existsSync(kept)) keep(kept, makeIndex(engine, folder, files))
  const read = (part) => new Uint8Array(readFileSync(join(kept, part)))
  const sizeOf = (part) => statSync(join(kept, part)).size
  const segment = engine.openSegment(read('text'))
  const model = engine.decodeModel(read('model'))
  const vectors = engine.openVectors(read('vectors'))
  const facts = JSON.parse(readFileSync(join(kept, 'facts'), 'utf8'))
  const bytes = { text: sizeOf('text'), meaning: sizeOf('model') + sizeOf('vectors') }
  return { view: { segments: [{ segment, vectors }], model }, store: storeOf(engine, facts), bytes }
}

/** As much of a store as a search asks for when no passage is shown. */
function storeOf(engine, facts) {
  return {
    matching: async (filter) => Int32Array.from(facts.filter(engine.passesFilter(filter)), ({ id }) => id),
    chunks: async () => [],
  }
}

/** The sum of all code that decides what is in an index. */
async function makingOf(root) {
  const modules = engineModules(root)
  const making = ['segmentBuilder', 'fitInput', 'segmentVectors', 'fitLsa', 'encodeModel', 'parseNote']
  const [{ code }] = await bundle({
    source: `
      ${making.map((name) => `import { ${name} } from '${modules[name]}'`).join('\n')}
      globalThis.made = [${making.join(', ')}]`,
    root,
    platform: 'node',
    output: { format: 'esm', minify: true, codeSplitting: false },
  })
  return createHash('sha256').update(code).digest('hex').slice(0, 12)
}

function makeIndex(engine, folder, files) {
  const builder = engine.segmentBuilder()
  const facts = []
  let id = 0
  for (const file of files) {
    const path = relative(folder, file).split(sep).join('/')
    const parsed = engine.parseNote(path, readFileSync(file, 'utf8'))
    if (parsed.isPrivate) continue
    builder.add(noteText(++id, path, parsed))
    const { tags, properties } = parsed
    facts.push(engine.noteFacts({ id, path, mtimeMs: 0, createdMs: 0, tags, properties }))
  }
  const text = builder.build()
  const segment = engine.openSegment(text)
  const model = run(engine.fitLsa(engine.fitInput([segment])))
  return {
    facts: JSON.stringify(facts),
    text,
    model: engine.encodeModel(model),
    vectors: run(engine.segmentVectors(segment, model)),
  }
}

function noteText(id, path, { title, opening, aliases, propertyText, tags, chunks }) {
  const names = opening === undefined ? aliases : [...aliases, opening]
  return {
    id,
    path,
    title,
    names,
    // As an older checkout calls them.
    aliases: names,
    extra: `${propertyText} ${tags.join(' ')}`,
    chunks: chunks.map(({ text }) => text),
  }
}

function keep(folder, parts) {
  const scratch = `${folder}.${process.pid}`
  mkdirSync(scratch, { recursive: true })
  for (const [part, bytes] of Object.entries(parts)) writeFileSync(join(scratch, part), bytes)
  renameSync(scratch, folder)
}

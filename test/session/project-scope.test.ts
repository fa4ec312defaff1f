import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configSchema } from '../../src/core/config/index.js'
import { vaultFromHost } from '../../src/core/session/index.js'
import { memoryHost } from '../doubles/memory-host.js'
import { scriptedModel } from '../doubles/scripted-model.js'
import { howOften } from '../runner/how-often.js'

/**
 * "The same answers" means that a session in a project reaches the same notes, links, tags, counts, names and completions
 * as one on a vault that contains only the project. Scores may differ, because word frequencies come from the whole vault.
 * A link whose name a note outside also has may differ too: it means that note, and is unresolved in the project.
 */
const words = ['loam', 'compost', 'peas', 'blight', 'sowing', 'harvest', 'canary', 'mulch']
const names = ['Soil', 'Peas', 'Plan', 'Beds', 'Taxes', 'Diary', 'Roof', 'Ledger']
const folders = ['Garden', 'Garden/Beds', 'Work', 'gardening', 'Garden Extra', '']
const tags = ['spring', 'spring/early', 'money', 'springtime']

const note = fc.record({
  folder: fc.constantFrom(...folders),
  name: fc.constantFrom(...names),
  words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
  links: fc.array(fc.constantFrom(...names), { maxLength: 3 }),
  tags: fc.array(fc.constantFrom(...tags), { maxLength: 2 }),
  area: fc.option(fc.constantFrom('home', 'work'), { nil: undefined }),
})
type Note = typeof note extends fc.Arbitrary<infer T> ? T : never

const scope = fc.record({
  folders: fc.subarray(['Garden', 'Garden/Beds', 'Work']),
  tags: fc.subarray(['spring', 'money']),
  area: fc.option(fc.constantFrom('home', 'work'), { nil: undefined }),
  exclude: fc.subarray(['#money', 'Garden/Beds', 'Work/Taxes.md']),
})
type Scope = typeof scope extends fc.Arbitrary<infer T> ? T : never

const pathOf = ({ folder, name }: Note) => `${folder === '' ? '' : `${folder}/`}${name}.md`
const textOf = ({ words, links, tags, area }: Note) =>
  `---\ntags: [${tags.join(', ')}]\n${area ? `area: ${area}\n` : ''}---\n# Head\n\n${words.join(' ')}\n${links.map((name) => `[[${name}]]`).join(' ')}\n`

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`)
const hasTag = ({ tags }: Note, wanted: string) => tags.some((tag) => tag === wanted || tag.startsWith(`${wanted}/`))

/** Said once more, in plain words. */
function isInScope(each: Note, { folders, tags, area, exclude }: Scope): boolean {
  const path = pathOf(each)
  const isIn =
    folders.some((folder) => isBelow(path, folder)) ||
    tags.some((tag) => hasTag(each, tag)) ||
    (area !== undefined && each.area === area)
  const isOut =
    (exclude.includes('#money') && hasTag(each, 'money')) ||
    (exclude.includes('Garden/Beds') && isBelow(path, 'Garden/Beds')) ||
    (exclude.includes('Work/Taxes.md') && path === 'Work/Taxes.md')
  return isIn && !isOut
}

async function sessionOn(files: Record<string, string>, projects: object, project?: string) {
  const host = await memoryHost(files)
  const vault = vaultFromHost({ host, settings: configSchema.parse({ projects }) })
  return vault.openSession({ model: scriptedModel([{ say: 'x' }]), consent: 'auto', ...(project && { project }) })
}

type Session = Awaited<ReturnType<typeof sessionOn>>

async function output(session: Session, name: string, input: object): Promise<Record<string, unknown>> {
  const result = await session.call({ name, input })
  return result.ok ? (result.output as Record<string, unknown>) : { failed: result.text }
}

const sorted = (paths: unknown[]) => paths.map(String).sort()
const pathsIn = (found: Record<string, unknown>) =>
  sorted(((found.results ?? found.notes ?? []) as { path: string }[]).map(({ path }) => path))

/** Everything that can be asked, as far as it must not depend on what is outside. */
async function answers(session: Session, all: readonly Note[], shared: ReadonlySet<string>) {
  const paths = [...new Set(all.map(pathOf))]
  const { guard, context } = await session.toolSetup()
  const { index, vault } = guard.filterVisible(context)
  const told: Record<string, unknown> = {
    files: await index.files(),
    completions: sorted((await vault.files()).map(({ path }) => path)),
    tags: (await output(session, 'get_tag_list', {})).tags,
    tree: (await session.call({ name: 'get_file_tree', input: {} })).text,
    counts: { ...(await output(session, 'index_vault', {})), chunks: 0, links: 0, ms: 0 },
    orphans: shared.size > 0 ? undefined : await index.orphans(),
  }
  for (const word of words) {
    told[`search ${word}`] = pathsIn(await output(session, 'search_notes', { query: word, top_k: 50 }))
    told[`literal ${word}`] = pathsIn(await output(session, 'vault_search', { query: word, limit: 50 }))
  }
  for (const tag of tags) told[`tag ${tag}`] = pathsIn(await output(session, 'search_by_tag', { tag }))
  for (const path of paths) {
    told[`read ${path}`] = (await session.call({ name: 'read_note', input: { path } })).text
    const { created: _, modified: __, ...facts } = await output(session, 'get_note_metadata', { path })
    // Links by way of a shared name differ, and so do the counts of them.
    told[`facts ${path}`] = shared.size > 0 ? { ...facts, links: 0, backlinks: 0 } : facts
    const links = await output(session, 'list_forward_links', { path })
    told[`from ${path}`] = (links.links as { link_text: string }[] | undefined)?.filter(
      ({ link_text }) => !shared.has(link_text),
    )
  }
  for (const name of names) {
    if (!shared.has(name))
      told[`find ${name}`] = (await session.call({ name: 'read_note', input: { path: name } })).text
  }
  return told
}

describe('a session in a project', () => {
  it('answers like a session on a vault that contains only the project', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(note, { selector: pathOf, minLength: 2, maxLength: 12 }),
        scope,
        async (all, said) => {
          const inside = all.filter((each) => isInScope(each, said))
          const { area, ...rest } = said
          const hasScope = said.folders.length + said.tags.length > 0 || area !== undefined
          fc.pre(inside.length > 0 && hasScope)
          const projects = { p: { ...rest, ...(area && { properties: { area } }) } }
          const files = (notes: readonly Note[]) =>
            Object.fromEntries(notes.map((each) => [pathOf(each), textOf(each)]))
          const within = await sessionOn(files(all), projects, 'p')
          const alone = await sessionOn(files(inside), {})
          const outside = new Set(all.filter((each) => !inside.includes(each)).map(({ name }) => name))
          const shared = new Set(names.filter((name) => outside.has(name) && inside.some((each) => each.name === name)))
          const [seen, expected] = [await answers(within, all, shared), await answers(alone, all, shared)]
          expect(seen).toEqual(expected)
        },
      ),
      { numRuns: howOften(8, 300) },
    )
  }, 120_000)
})

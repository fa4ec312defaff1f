import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../src/core/errors.js'
import type { LinkSettings } from '../../src/core/vault/index.js'
import { howOften } from '../runner/how-often.js'
import { notes } from './notes.js'

// Every link stands alone on a line of its note, so that it can be found again without any scanner. Where it leads is told
// by two resolvers that share nothing with the product: a URL's, as GitHub and editors have it, and Obsidian's rules.

const folders = ['', 'docs', 'docs/api', 'a b', 'Grün', 'docs/img']
const names = ['Readme', 'Set up', 'v1.2', 'C#', 'x (y)', '100%', 'Größe', 'note?', "it's"]
const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
const filePath = fc
  .tuple(
    fc.constantFrom(...folders),
    fc.constantFrom(...names),
    fc.constantFrom('.md', '.md', '.md', '.png', '.canvas'),
  )
  .map(([folder, name, type]) => inFolder(folder, name + type))

interface Written {
  before: string
  /** The path as written in the text. */
  path: string
  after: string
  form: 'markdown' | 'wiki'
}

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/').replace(/[()']/g, percent)
const percent = (character: string) => `%${character.charCodeAt(0).toString(16)}`
const lightly = (path: string) => path.replace(/[%# ()?]/g, percent)

const style = fc.constantFrom('relative', './', '/', 'around')
const markdownLink = (source: string) =>
  fc
    .tuple(
      filePath,
      style,
      fc.constantFrom('inline', 'titled', 'angled', 'image', 'definition', 'query', 'folder'),
      fc.boolean(),
    )
    .map(([target, how, kind, isEncoded]): Written => {
      const wanted = kind === 'folder' ? target.slice(0, target.lastIndexOf('/') + 1) || 'docs/' : target
      const path = spelled(source, wanted, how)
      const written = kind === 'angled' ? path.replace(/[%#?]/g, percent) : isEncoded ? encode(path) : lightly(path)
      const shape = {
        inline: ['[text](', '#part)'],
        titled: ['[text](', ' "a (title)")'],
        angled: ['[text](<', '#a b>)'],
        image: ['![alt](', ')'],
        definition: [`[ref${target.length}]: `, ' "title"'],
        query: ['![alt](', '?raw=true#x)'],
        folder: ['[text](', ')'],
      }[kind]
      return { before: shape[0], path: written, after: shape[1], form: 'markdown' }
    })
const wikilink = fc
  .tuple(filePath, fc.constantFrom('bare', 'full'), fc.constantFrom('', '#Part', '|shown'), fc.boolean())
  .filter(([target]) => !/[#?]/.test(target))
  .map(([target, how, after, isEmbed]): Written => {
    const path = (how === 'bare' ? target.slice(target.lastIndexOf('/') + 1) : target).replace(/\.md$/, '')
    return { before: isEmbed ? '![[' : '[[', path, after: `${after}]]`, form: 'wiki' }
  })

function spelled(source: string, target: string, how: string): string {
  if (how === '/') return `/${target}`
  const from = source.split('/').slice(0, -1)
  const to = target.split('/')
  let common = 0
  while (how !== 'around' && common < Math.min(from.length, to.length - 1) && from[common] === to[common]) common++
  const relative = '../'.repeat(from.length - common) + to.slice(common).join('/')
  return how === './' && !relative.startsWith('../') ? `./${relative}` : relative
}

const folder = fc
  .uniqueArray(filePath, { minLength: 2, maxLength: 8, selector: (path) => path.toLowerCase() })
  .chain((paths) =>
    fc.tuple(
      ...paths.map((path) =>
        fc
          .array(fc.oneof({ weight: 3, arbitrary: markdownLink(path) }, wikilink), { maxLength: 5 })
          .map((links) => ({ path, links: path.endsWith('.md') ? links : [] })),
      ),
    ),
  )

const move = folder.chain((files) =>
  fc.record({
    files: fc.constant(files),
    from: fc.constantFrom(...files.flatMap(({ path }) => (path.includes('/') ? [path, path.split('/')[0]] : [path]))),
    to: fc.oneof(
      fc.constantFrom('docs/', 'new/', '/', 'docs/api/', 'Moved'),
      fc
        .tuple(fc.constantFrom(...folders, 'x/y'), fc.constantFrom('Moved', 'new name', 'Ä & b'))
        .map(([at, name]) => inFolder(at, name)),
    ),
  }),
)

/** A line that identifies each link. */
const lineOf = ({ before, path, after }: Written, at: number) => `${at}: words\n\n${before}${path}${after}\n`
const textOf = (links: readonly Written[]) => links.map(lineOf).join('\n')

/** Reads the paths back: everything else must stand letter by letter. */
function pathsIn(text: string, links: readonly Written[]): string[] {
  const literal = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = links.map((link, at) => {
    const [start, end] = lineOf({ ...link, path: '\0' }, at).split('\0')
    return `${literal(start)}(.*?)${literal(end)}`
  })
  const found = new RegExp(`^${pattern.join('\n')}$`).exec(text)
  expect(found, `only paths change: ${text}`).not.toBeNull()
  return found!.slice(1)
}

/** The path that a URL names from a note. */
const urlPlace = (source: string, path: string) =>
  decodeURIComponent(new URL(path, `https://host/${encode(source)}`).pathname).replace(/^\/|\/$/g, '')

/** The target that Obsidian finds for a wikilink, found by going through all files. */
function obsidianTarget(files: readonly string[], source: string, written: string): string | undefined {
  const wanted = (/\.(?:png|canvas|md)$/.test(written) ? written : `${written}.md`).toLowerCase()
  if (/^\.\.?\//.test(written)) {
    const place = urlPlace(source, encode(wanted)).toLowerCase()
    return files.find((path) => path.toLowerCase() === place)
  }
  const here = inFolder(source.split('/').slice(0, -1).join('/'), wanted).toLowerCase()
  const matching = files.filter((path) => `/${path.toLowerCase()}`.endsWith(`/${wanted}`))
  const shortest = [...matching].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]
  const find = (path: string) => matching.find((each) => each.toLowerCase() === path)
  return find(wanted) ?? find(here) ?? shortest
}

async function check(
  { files, from, to }: { files: { path: string; links: Written[] }[]; from: string; to: string },
  settings: LinkSettings,
): Promise<boolean> {
  const start = Object.fromEntries(files.map(({ path, links }) => [path, textOf(links)]))
  const vault = notes(start, settings)
  let plan: Awaited<ReturnType<typeof vault.move>>
  try {
    plan = await vault.move(from, to)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    expect(['conflict', 'invalid-input', 'ambiguous', 'path']).toContain(error.code)
    return false
  }
  const all = files.map(({ path }) => path)
  const moved = new Map(
    plan.changeSet.changes.flatMap((c) => (c.kind === 'move' ? [[c.path as string, c.to as string]] : [])),
  )
  const isFolder = !all.includes(plan.from)
  const now = (path: string) =>
    moved.get(path) ??
    (isFolder && `${path}/`.startsWith(`${plan.from}/`) ? plan.to + path.slice(plan.from.length) : path)
  const allNow = all.map(now)
  for (const { path: source, links } of files) {
    const written = pathsIn((await vault.read(now(source)))!, links)
    for (const [at, link] of links.entries()) {
      const about = `${link.before}${link.path} in ${source} became ${written[at]} in ${now(source)}`
      if (link.form === 'wiki') {
        const target = obsidianTarget(all, source, link.path)
        if (target) expect(obsidianTarget(allNow, now(source), written[at]), about).toBe(now(target))
      } else if (settings.reading === 'markdown') {
        const place = urlPlace(source, link.path)
        const isThere = all.includes(place) || all.some((path) => path.startsWith(`${place}/`))
        const place2 = urlPlace(now(source), written[at])
        if (isThere) expect(place2, about).toBe(now(place))
        // A link to nothing keeps its place, which goes with its folder where its own note does; or it was meant for a
        // file elsewhere, and names that now.
        else if (!allNow.includes(place2) && written[at] !== link.path) {
          expect([place, now(place)], about).toContain(place2)
        }
      }
    }
  }
  await vault.vault.apply(await vault.vault.planUndo({ id: plan.changeSet.id }))
  const restored = [...vault.vault.snapshot()].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])
  expect(Object.fromEntries(restored)).toEqual(start)
  return true
}

describe('a move of a note or a folder, checked by independent resolvers', () => {
  const kinds: LinkSettings[] = [
    { reading: 'markdown' },
    { reading: 'obsidian' },
    { reading: 'obsidian', newLinkFormat: 'shortest' },
    { reading: 'obsidian', newLinkFormat: 'relative', useMarkdownLinks: true },
    { reading: 'obsidian', newLinkFormat: 'absolute' },
  ]
  it.each(kinds)("keeps every link's target and every other byte, and is undone completely: %j", async (settings) => {
    const runs = settings.reading === 'markdown' ? howOften(200, 3000) : howOften(40, 500)
    let applied = 0
    await fc.assert(
      fc.asyncProperty(move, async (example) => {
        if (await check(example, settings)) applied++
      }),
      { numRuns: runs },
    )
    expect(applied).toBeGreaterThan(runs / 3)
  })
})

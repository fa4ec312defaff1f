import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Failure, type FailureCode } from '../../src/core/errors.js'
import type { MovePlan } from '../../src/core/index/links/plan-move.js'
import { howOften } from '../runner/how-often.js'
import { notes, type ResolvedLink } from './notes.js'

const folder = fc.constantFrom('', 'a', 'b', 'a/b', 'b/a', 'Long Folder', 'a/b/c')
const name = fc.constantFrom('Note', 'note two', 'Plan', 'v1.2', 'Größe', "It's", 'x (y)', '100% sure', 'index')
const extension = fc.constantFrom('.md', '.md', '.md', '.md', '.png', '.canvas')
const inFolder = (path: string, file: string): string => (path === '' ? file : `${path}/${file}`)
const filePath = fc.tuple(folder, name, extension).map(([at, base, type]) => inFolder(at, base + type))

const subpath = fc.constantFrom('', '', '', '#Part', '#A#B', '#^id1')
const display = fc.constantFrom(undefined, undefined, 'shown', 'Note', '')

/** A path part in one of the ways people write one, for a file that may be there or not. */
const written = fc
  .tuple(filePath, fc.constantFrom('bare', 'full', 'tail', './', '../', '../../', '/'), fc.boolean(), fc.boolean())
  .map(([path, style, keepsExtension, isLower]) => {
    const shortened = keepsExtension ? path : path.replace(/\.md$/, '')
    const spelled = isLower ? shortened.toLowerCase() : shortened
    if (style === 'full') return spelled
    if (style === 'bare') return spelled.slice(spelled.lastIndexOf('/') + 1)
    if (style === 'tail') return spelled.split('/').slice(-2).join('/')
    return style + spelled
  })

const encoded = (path: string, all: boolean): string =>
  all
    ? path
        .split('/')
        .map(encodeURIComponent)
        .join('/')
        .replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
    : path
        .replace(/%/g, '%25')
        .replace(/ /g, '%20')
        .replace(/[()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)

const link = fc
  .tuple(written, subpath, display, fc.constantFrom('wiki', 'embed', 'inline', 'encoded', 'angled', 'image', 'titled'))
  .map(([path, sub, shown, form]) => {
    const target = path + sub
    const label = shown ?? 'label'
    switch (form) {
      case 'wiki':
        return shown === undefined ? `[[${target}]]` : `[[${target}|${shown}]]`
      case 'embed':
        return shown === undefined ? `![[${target}]]` : `![[${target}|${shown}]]`
      case 'inline':
        return `[${label}](${encoded(path, false)}${sub})`
      case 'encoded':
        return `[${label}](${encoded(path, true)}${sub})`
      case 'angled':
        return `[${label}](<${path.replace(/%/g, '%25')}${sub}>)`
      case 'image':
        return `![${label}](${encoded(path, false)}${sub})`
      default:
        return `[${label}](${encoded(path, false)}${sub} "It is [[no]] link")`
    }
  })

const noise = fc.constantFrom(
  'words',
  'an unmatched ` backtick',
  'a run ``` of three',
  '`[[Note]] in code`',
  '``[[Plan]] ` in code``',
  '%% a comment',
  '$5 and $6',
  '\\[[Note]]',
  '# Note',
  '- [ ] Plan',
  '> quoted',
  '    [[Note]] indented',
  '',
)

const wikilink = fc.tuple(written, subpath).map(([path, sub]) => `[[${path}${sub}]]`)
const block = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.oneof(link, noise), { maxLength: 5 }).map((parts) => parts.join(' ')) },
  fc.constant('\n```js\n[[Note]] [x](Plan.md)\n```\n'),
  fc
    .tuple(wikilink, link)
    .map(
      ([one, two]) =>
        `\n| a | b |\n| --- | --- |\n| ${one.replace(']]', '\\|x]]')} | ${two.includes('|') ? one : two} |\n`,
    ),
  written.map((path) => `\n[ref]: ${encoded(path, false)} "title"\n`),
)
const property = fc
  .tuple(wikilink, wikilink, fc.constantFrom('double', 'single', 'list', 'flow', 'text', 'twice'))
  .map(([one, two, form]) => {
    const single = (text: string): string => `'${text.replaceAll("'", "''")}'`
    switch (form) {
      case 'double':
        return `up: "${one}"`
      case 'single':
        return `up: ${single(one)} # [[Note]]`
      case 'list':
        return `up:\n  - "${one}"\n  - ${single(two)}`
      case 'flow':
        return `up: [${single(one)}, "${two}", plain]`
      case 'twice':
        return `up: ${single(`it's ${one} and ${one}`)}`
      default:
        return `up: see ${one.replace(/#.*?\]\]/, ']]')}`
    }
  })

const note = fc
  .tuple(fc.option(property), fc.array(block, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([up, blocks, lineBreak, hasMark]) => {
    const text = `${up === null ? '' : `---\n${up}\n---\n`}${blocks.join('\n')}`
    return (hasMark ? '\uFEFF' : '') + text.replaceAll('\n', lineBreak)
  })

const vault = fc
  .uniqueArray(filePath, { minLength: 2, maxLength: 9, selector: (path) => path.toLowerCase() })
  .chain((paths) => fc.tuple(...paths.map((path) => note.map((text) => [path, text] as const))))
  .map((files) => Object.fromEntries(files.map(([path, text]) => [path, path.endsWith('.md') ? text : ''])))

/** A source that is there: a file or one of its folders; and anywhere to go. */
const move = vault.chain((files) => {
  const sources = Object.keys(files).flatMap((path) => [
    path,
    ...(path.includes('/') ? [path.slice(0, path.indexOf('/'))] : []),
  ])
  const target = fc.oneof(
    filePath,
    folder.map((path) => `${path}/`),
    filePath.map((path) => path.replace(/\.\w+$/, '')),
  )
  return fc.record({ files: fc.constant(files), from: fc.constantFrom(...sources), to: target })
})

/** Names that links can hold only in part, or that mean something in Markdown. */
const oddName = fc.constantFrom(
  ...[
    'C# notes',
    'a^b',
    '[x]',
    'x]]y',
    'tick`s',
    '``',
    '$a$',
    '$5',
    '%%',
    '%20',
    '&amp;b',
    'a_b*c*',
    '~x~',
    '!x',
    '{x}',
  ],
  ...[
    'E\u0301te\u0301',
    'a  b',
    ' lead',
    'no\u00a0break',
    '=1+1',
    '#tag',
    '日本語',
    '(',
    ')(',
    "'",
    "''",
    '-',
    '- [ ]',
  ],
)

describe('a move in any vault', () => {
  it("keeps every link's target and every other byte", async () => {
    const runs = howOften(100, 400)
    let applied = 0
    await fc.assert(
      fc.asyncProperty(move, async ({ files, from, to }) => {
        // Every name here can be linked to, so only the place may be refused.
        if (await movesCleanly(files, from, to, ['conflict', 'invalid-input', 'ambiguous'])) applied++
      }),
      { numRuns: runs },
    )
    expect(applied).toBeGreaterThan(runs / 2)
  })

  it('refuses a name that links cannot express, or keeps every link', async () => {
    const runs = howOften(75, 300)
    let applied = 0
    await fc.assert(
      fc.asyncProperty(move, oddName, oddName, async ({ files, from }, first, second) => {
        const refusals: FailureCode[] = ['conflict', 'invalid-input', 'ambiguous', 'path']
        if (!(await movesCleanly(files, from, first, refusals))) return
        applied++
        // And from the odd name to the next, with the links as the first move left them.
        const vault = notes(files)
        const { to } = await vault.move(from, first)
        const moved = [...vault.vault.snapshot()].map(([path, bytes]) => [
          path,
          new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
        ])
        await movesCleanly(Object.fromEntries(moved), to, second, refusals)
      }),
      { numRuns: runs },
    )
    expect(applied).toBeGreaterThan(runs / 5)
  })
})

/** Whether the move was made; when it was, all that it promises is checked. */
async function movesCleanly(files: Record<string, string>, from: string, to: string, refusals: FailureCode[]) {
  const vault = notes(files)
  const linksBefore = await vault.links()
  let plan: MovePlan
  try {
    plan = await vault.move(from, to)
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    expect(refusals).toContain((error as Failure).code)
    return false
  }
  const moved = new Map(
    plan.changeSet.changes.flatMap((change) => (change.kind === 'move' ? [[change.path, change.to]] : [])),
  )
  const linksAfter = await vault.links()
  let captured = 0
  for (const [path, old] of linksBefore) {
    const newPath = moved.get(path) ?? path
    const now = linksAfter.get(newPath)!
    expect(now).toHaveLength(old.length)
    for (const [at, link] of old.entries()) {
      const { raw, leadsTo } = now[at]
      if (link.leadsTo !== null) {
        expect({ was: link.raw, raw, leadsTo }).toEqual({
          was: link.raw,
          raw,
          leadsTo: moved.get(link.leadsTo) ?? link.leadsTo,
        })
      } else if (leadsTo !== null) {
        captured++
        expect([...moved.values()]).toContain(leadsTo)
        expect(raw).toBe(link.raw)
      }
      expect(now[at]).toMatchObject(kept(link))
    }
    expect(withoutTargets((await vault.read(newPath))!, now)).toBe(withoutTargets(files[path], old))
  }
  expect(plan.impact.captured).toBe(captured)
  expect(plan.impact.outOfReach).toEqual([])
  return true
}

/** The parts of a link that a rename must not change. */
function kept({ kind, syntax, subpath: sub, angled }: ResolvedLink) {
  return { kind, syntax, ...(sub !== undefined && { subpath: sub }), ...(angled && { angled }) }
}

function withoutTargets(text: string, links: ResolvedLink[]): string {
  const spans = links.filter(({ kind }) => kind !== 'frontmatter').map(({ targetSpan }) => targetSpan)
  let rest = text
  for (const { start, end } of spans.sort((a, b) => b.start - a.start)) {
    rest = `${rest.slice(0, start)}…${rest.slice(end)}`
  }
  const properties = /^\uFEFF?---\r?\n[\s\S]*?\n---/.exec(rest)?.[0] ?? ''
  return properties.replace(/\[\[[^\]#|]*/g, '[[…') + rest.slice(properties.length)
}

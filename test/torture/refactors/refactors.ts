import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../../src/core/errors.js'
import { mergeNotes } from '../../../src/core/tools/file/merge-notes.js'
import { renameInNotes } from '../../../src/core/tools/file/rename-in-notes.js'
import { renameNote } from '../../../src/core/tools/file/rename-note.js'
import { splitNote } from '../../../src/core/tools/file/split-note.js'
import type { Tool } from '../../../src/core/tools/tool.js'
import { type NotePath, notePath } from '../../../src/core/vault/index.js'
import { type TestContext, testContext } from '../../tools/call-tool.js'
import { type Row, randomNumbers } from '../torture.js'
import { type Expected, wrongAfter } from './check.js'
import { type Files, readNote, strip } from './read-links.js'

/** A folder of notes as the files of a vault in memory. Attachments are empty: only their names matter for links. */
export function filesIn(folder: string): Record<string, Uint8Array> {
  const files: Record<string, Uint8Array> = {}
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!item.isFile()) continue
    const whole = join(item.parentPath, item.name)
    const path = whole.slice(folder.length).replace(/^\/+/, '')
    if (/(?:^|\/)\./.test(path) && path !== '.obsidian/app.json') continue
    files[path] = /\.(?:md|canvas|json)$/i.test(path) ? readFileSync(whole) : new Uint8Array()
  }
  return files
}

/** A refactor that could be tried on a vault. */
interface Attempt {
  tool: Tool
  input: Record<string, unknown>
  expected: (output: Record<string, unknown>) => Expected
}

/** Plays random merges, splits and renames on a vault, and checks links, other text and undo after each. */
export async function refactorVault(
  name: string,
  files: Record<string, string | Uint8Array>,
  { seed, count, story }: { seed: number; count: number; story?: (line: string) => void },
): Promise<Row> {
  const random = randomNumbers(seed)
  const context = await testContext(files)
  const isObsidian = Object.keys(files).some((path) => path.startsWith('.obsidian/'))
  const start = await textsOf(context)
  const done: Record<string, number> = {}
  const kept: string[] = []
  let [losses, refused, linksUpdated] = [0, 0, 0]
  let before = start
  for (let played = 0, tries = 0; played < count && tries < count * 6; tries++) {
    const attempt = randomAttempt(before, random)
    if (attempt === undefined) continue
    const { tool, input } = attempt
    const label = `${name} seed ${seed} #${tries}: ${tool.name} ${JSON.stringify(input)}`
    try {
      const plan = await tool.plan!(input, context)
      if (plan.changes.changes.length === 0) continue
      await context.apply(plan.changes)
      const after = await textsOf(context)
      const output = plan.output as Record<string, unknown>
      const wrong = wrongAfter(before, after, isObsidian, attempt.expected(output))
      played++
      linksUpdated += Number(output.links ?? 0)
      const kind = `${tool.name}${input.kind === undefined ? '' : ` ${String(input.kind)}`}`
      done[kind] = (done[kind] ?? 0) + 1
      if (wrong.length > 0) {
        losses++
        story?.([label, ...wrong.slice(0, 6)].join('\n    '))
      }
      if (random() < 0.6 || wrong.length > 0) {
        const [entry] = await context.memory.history()
        await context.apply(await context.memory.planUndo({ id: entry!.id }))
        if (!isSame(before, await textsOf(context))) {
          losses++
          story?.(`${label}\n    undo does not restore every byte`)
        }
      } else {
        before = after
        kept.push(plan.changes.id)
      }
    } catch (error) {
      if (!(error instanceof Failure)) {
        losses++
        story?.(`${label}\n    ${String(error instanceof Error ? error.stack : error)}`)
      } else {
        refused++
        if (!['conflict', 'ambiguous'].includes(error.code)) story?.(`${label}\n    refused: ${error.message}`)
      }
    }
  }
  losses += await undoAll(context, kept, start, (line) => story?.(`${name} seed ${seed}: ${line}`))
  const played = Object.values(done).reduce((sum, number) => sum + number, 0)
  return {
    name,
    trials: played,
    losses,
    notes: { ...done, 'links updated': linksUpdated, refused, 'kept for later ones': kept.length },
  }
}

/** Undoes everything that was kept, the newest first, and compares with the first state. */
async function undoAll(
  context: TestContext,
  kept: readonly string[],
  start: Files,
  story: (line: string) => void,
): Promise<number> {
  for (const id of [...kept].reverse()) await context.apply(await context.memory.planUndo({ id }))
  if (isSame(start, await textsOf(context))) return 0
  story('undoing everything does not restore every byte')
  return 1
}

async function textsOf({ memory }: TestContext): Promise<Files> {
  const texts = new Map<string, string>()
  for (const { path } of await memory.files()) {
    const isText = /\.(?:md|canvas)$/i.test(path)
    texts.set(path, isText ? ((await memory.read(notePath(path)))?.text ?? '') : '')
  }
  return texts
}

const isSame = (one: Files, other: Files): boolean =>
  one.size === other.size && [...one].every(([path, text]) => other.get(path) === text)

/** Notes that other notes link to are chosen more often: there is more to break. */
function randomAttempt(files: Files, random: () => number): Attempt | undefined {
  const notes = [...files.keys()].filter((path) => /\.md$/i.test(path))
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  let path = pick(notes)
  if (random() < 0.7) path = linkedNote(files, notes, pick) ?? path
  if (path === undefined) return undefined
  const note = readNote(files.get(path) ?? '')
  const group = [path]
  const chance = random()
  if (chance < 0.3) return randomMerge(path, notes, pick, random)
  if (chance < 0.55) {
    const section = pick(note.sections)
    const id = pick([...note.blocks.keys()])
    const isBlock = id !== undefined && random() < 0.3
    if (section === undefined && !isBlock) return undefined
    const leave = pick(['link', 'embed', 'nothing'])
    return {
      tool: splitNote,
      input: {
        path,
        ...(isBlock ? { block: id } : { heading: section?.title }),
        to: pick(['Extracted/', undefined, `Split ${Math.floor(random() * 1e6)}`]),
        leave,
      },
      expected: ({ new_path }) => {
        const name = String(new_path)
          .slice(String(new_path).lastIndexOf('/') + 1)
          .replace(/\.md$/, '')
        const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
        const markdown = `\\[[^\\]]*\\]\\((?:[^)]*/)?${escaped(encodeURI(name))}\\.md\\)`
        const linkTo = new RegExp(`^[-*+>\\d.)\\s]*(?:!?\\[\\[(?:[^\\]]*/)?${escaped(name)}\\]\\]|${markdown})\\s*$`)
        return {
          group: [...group, String(new_path)],
          isWithinSection: isBlock,
          ...(leave !== 'nothing' && { left: linkTo }),
        }
      },
    }
  }
  const rename = (
    kind: string,
    from: string | undefined,
    to: string,
    expected: Partial<Expected>,
    where: object = { path },
  ): Attempt | undefined =>
    from === undefined
      ? undefined
      : { tool: renameInNotes, input: { kind, from, to, ...where }, expected: () => ({ group: [], ...expected }) }
  const number = Math.floor(random() * 1e6)
  if (chance < 0.72) {
    // The links of a heading are replaced with its text.
    const from = pick(note.sections.filter(({ title }) => !title.includes('[')))?.title
    const to = pick([`New heading ${number}`, `Über (${number}): “x” & y?`, `${from ?? ''} again`]) ?? ''
    return rename('heading', from, to, { group, heading: [from ?? '', to] })
  }
  if (chance < 0.8) {
    const id = pick([...note.blocks.keys()])
    return rename('block', id, `id-${number}`, { group, block: [id ?? '', `id-${number}`] })
  }
  if (chance < 0.85) {
    const tag = pick(note.tags)
    return rename('tag', tag, `new-${number}/tag`, { tag: [tag ?? '', `new-${number}/tag`] }, {})
  }
  if (chance < 0.9) {
    const property = pick(note.properties)
    return rename('property', property, `property ${number}`, { property: [property ?? '', `property ${number}`] }, {})
  }
  const moved = pick([`Moved/Note ${number}`, `/Note ${number}`, `Renamed ${number}`])
  return {
    tool: renameNote,
    input: { path, new_path: moved },
    expected: ({ new_path }) => ({ group: [path, String(new_path)] }),
  }
}

function randomMerge(
  path: string,
  notes: readonly string[],
  pick: <T>(items: readonly T[]) => T | undefined,
  random: () => number,
): Attempt | undefined {
  const others = [pick(notes), random() < 0.2 ? pick(notes) : undefined].filter(
    (each) => each !== undefined && each !== path,
  )
  const from = [...new Set([path, ...others.slice(1)])] as NotePath[]
  const [into] = others
  const hasHeading = random() < 0.8
  if (into === undefined || from.includes(into as NotePath)) return undefined
  return {
    tool: mergeNotes,
    input: { from, into, ...(!hasHeading && { heading: false }) },
    // Without a heading, the last section of the note goes on with the text of the others.
    expected: () => ({ group: [...from, into], gone: from, isWithinSection: !hasHeading }),
  }
}

/** The note that some link with a heading or block leads to, else any link. */
function linkedNote(
  files: Files,
  notes: readonly string[],
  pick: <T>(items: readonly T[]) => T | undefined,
): string | undefined {
  const source = pick(notes)
  const links = readNote(files.get(source ?? '') ?? '').links
  const link = pick(links.filter(({ fragment }) => fragment !== '')) ?? pick(links)
  if (link === undefined) return undefined
  const name = strip(link.path.slice(link.path.lastIndexOf('/') + 1).replace(/\.md$/i, ''))
  return link.path === ''
    ? source
    : notes.find((each) => strip(each.slice(each.lastIndexOf('/') + 1).replace(/\.md$/i, '')) === name)
}

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProfile } from '../browser/open-browser.js'
import type { Found, Moments, Step, Work } from '../obsidian-host/killed.js'
import { pageScript } from '../obsidian-host/open-host.js'
import { openPlugin, type PluginPage, removeRelease } from './plugin-page.js'

let profile: string
let plugin: PluginPage
let folder: string
let die: (() => void) | undefined

beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'notewright-profile-'))
  const script = await pageScript(join(import.meta.dirname, '../obsidian-host/in-page/killed.ts'))
  plugin = await openPlugin(await openProfile(profile), { script, files: { ...(await firstNotes()), ...others } })
  folder = plugin.folder('garden')
  await plugin.context.exposeFunction('die', () => die?.())
  // The binding is there from the next page on.
  await plugin.restart()
})
afterAll(async () => {
  await plugin?.close()
  await removeRelease()
  await rm(profile, { recursive: true, force: true })
})

/** `NOTEWRIGHT_ROUNDS=250` kills more than 200 times. */
const rounds = Number(process.env.NOTEWRIGHT_ROUNDS ?? 24)

type Notes = Record<string, string>

/** These are not changed. There are enough of them that the worker builds the index. */
const others: Notes = Object.fromEntries(
  Array.from({ length: 220 }, (_, at) => [`Others/o${at}.md`, `# O${at}\n\nNothing of note, number ${at}.\n`]),
)

const firstNotes = async (): Promise<Notes> =>
  Object.fromEntries(
    [0, 1, 2, 3].map((number) => [`n${number}.md`, `# N${number}\n\nwordn${number} [[n${(number + 1) % 4}]]\n`]),
  )

async function notesOnDisk(): Promise<Notes> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  )
}

const nameOf = (path: string) => path.replace(/\.md$/, '')

/** Some notes edited, one added to, one made. */
function writing(notes: Notes, round: number): Step[] {
  const [first, second] = Object.keys(notes).filter((path) => path !== 'sync.md')
  return [
    { kind: 'edit', path: first, before: notes[first], after: `${notes[first]}edited${round}\n` },
    { kind: 'append', path: second, added: `added${round}\n` },
    { kind: 'create', path: `m${round}.md`, after: `# M${round}\n\nwordm${round} [[${nameOf(first)}]]\n` },
  ]
}

/** A note that others link to gets a new name, the links follow, and another note goes to the trash. */
function renaming(notes: Notes, round: number): Step[] {
  const moved = Object.keys(notes).find((path) => path.startsWith('n'))!
  const to = `n${round + 10}.md`
  const link = `[[${nameOf(moved)}]]`
  const linking = Object.keys(notes).filter((path) => path !== moved && notes[path].includes(link))
  const gone = Object.keys(notes).find((path) => path.startsWith('m') && !linking.includes(path))
  return [
    { kind: 'move', path: moved, before: notes[moved], to },
    ...linking.map((path): Step => {
      const after = notes[path].replaceAll(link, `[[${nameOf(to)}]]`)
      return { kind: 'edit', path, before: notes[path], after }
    }),
    ...(gone === undefined ? [] : [{ kind: 'trash' as const, path: gone, before: notes[gone] }]),
  ]
}

function afterSteps(notes: Notes, steps: readonly Step[]): Notes {
  const next = { ...notes }
  for (const step of steps) {
    if (step.kind === 'append') next[step.path] += step.added
    else if (step.kind === 'trash') delete next[step.path]
    else if (step.kind === 'move') {
      next[step.to] = next[step.path]
      delete next[step.path]
    } else next[step.path] = step.after
  }
  return next
}

const changing = ['write', 'makeFolder', 'rename', 'remove', 'removeFolder', 'trashOutside']

/** Kinds of work, and the calls of each that count as moments to be killed at. */
const kinds = [
  { name: 'writing', steps: writing, anew: false, counted: [...changing, 'database'] },
  { name: 'renaming', steps: renaming, anew: false, counted: [...changing, 'database'] },
  { name: 'indexing', steps: () => [], anew: true, counted: ['read', 'database'] },
  { name: 'the index worker', steps: () => [], anew: true, counted: ['worker'] },
] as const

/** Works until it is done or the page is dead. */
async function workUntil(moments: Moments, work: Work): Promise<'done' | 'killed'> {
  const { page, context } = plugin
  const killer = await context.newCDPSession(page)
  const crashed = new Promise<'killed'>((resolve) => page.once('crash', () => resolve('killed')))
  // It never answers: the page is gone.
  die = () => void killer.send('Page.crash').catch(() => undefined)
  const working = page
    .evaluate(`dieAfter(${JSON.stringify(moments)}); work(${JSON.stringify(work)})`)
    .then(() => 'done' as const)
  working.catch(() => undefined)
  return Promise.race([crashed, working.catch(() => crashed)])
}

describe('the plugin, killed in the middle of its work', () => {
  it(`has every note old or new after the next start, which says which, ${rounds} times`, async ({ annotate }) => {
    const reached = kinds.map(() => 0)
    const torn = kinds.map(() => false)
    const seen = new Set<string>()
    let kills = 0
    const killsIn: Record<string, number> = {}
    for (let round = 0; round < rounds; round++) {
      const at = round % kinds.length
      const kind = kinds[at]
      const before = await notesOnDisk()
      const title = `Round ${round}`
      const steps = kind.steps(before, round)
      const moments = { after: reached[at]++, torn: torn[at], counted: kind.counted }
      const label = `${title}: ${kind.name}, ${JSON.stringify(moments)}`
      // Another program syncs a note of its own meanwhile.
      const synced = `# Sync\n\nsyncedin${round}\n`
      const syncing = writeFile(join(folder, 'sync.md'), synced)
      const ended = await workUntil(moments, { title, steps, anew: kind.anew })
      await syncing
      if (ended === 'done') {
        // All of its moments were tried; the next time round a write is cut in half.
        reached[at] = 0
        torn[at] = !torn[at]
      } else kills++

      // Somebody may write before the app is open again.
      const edited = steps.find((step) => step.kind === 'edit' || step.kind === 'append')?.path
      const person = ended === 'killed' && round % 5 === 4 ? edited : undefined
      const theirs = `# Theirs\n\nbyaperson${round}\n`
      if (person !== undefined) await writeFile(join(folder, person), theirs)

      await plugin.restart()
      const after = { ...afterSteps(before, steps), 'sync.md': synced }
      const words = new Set([...Object.values(before), ...Object.values(after), theirs].map(tellingWord))
      const found: Found = await plugin.page.evaluate(`lookAround(${JSON.stringify([...words])})`)

      const entry = found.states.find((state) => state.title === title)
      seen.add(entry?.state ?? 'nothing')
      if (ended === 'done' && steps.length > 0) expect(entry?.state, label).toBe('applied')
      const isNew = entry?.state === 'applied' || entry?.unsettled?.went === 'finished'
      const went: Notes = isNew ? after : { ...before, 'sync.md': synced }
      if (person !== undefined) went[person] = theirs
      const now = await notesOnDisk()
      expect(now, `${label}, ${entry?.state}`).toEqual(went)
      if (entry?.unsettled !== undefined) {
        expect(entry.unsettled.notes, label).toEqual([person])
        expect(found.notices.join('\n'), label).toContain(person)
      }
      expect(entry?.state, label).not.toBe('unfinished')

      expect(found.notes.sort(), label).toEqual([...Object.keys(now), ...Object.keys(others)].sort())
      for (const [path, text] of Object.entries(now)) {
        const word = tellingWord(text)
        expect(found.hits[word]?.map(([hit]) => hit) ?? [], `${label}: ${word}`).toContain(path)
      }
      expect(found.links, label).toEqual(linksIn(now))
      if (kind.anew) {
        const fresh: Found = await plugin.page.evaluate(`lookAround(${JSON.stringify([...words])}, true)`)
        expect(found.hits, label).toEqual(fresh.hits)
        killsIn[kind.name] = (killsIn[kind.name] ?? 0) + (ended === 'killed' ? 1 : 0)
      }
      expect(plugin.troubles.splice(0), label).toEqual([])
    }
    await annotate(`killed ${kills} times, ${JSON.stringify(killsIn)}; the change was then ${[...seen].join(', ')}`)
    expect(kills).toBeGreaterThan(rounds * 0.7)
    expect(killsIn['the index worker']).toBeGreaterThan(0)
    if (rounds >= 100) expect([...seen].sort()).toEqual(expect.arrayContaining(['applied', 'nothing', 'rolled-back']))
  }, 3_600_000)
})

/** One that no other note holds. */
const tellingWord = (text: string): string => /\b(?:word|synced|byaperson)\w+/.exec(text)![0]

function linksIn(notes: Notes): string[] {
  const links = Object.entries(notes).flatMap(([path, text]) =>
    [...text.matchAll(/\[\[(.+?)\]\]/g)].map(
      ([, name]) => `${path} ${notes[`${name}.md`] === undefined ? '-' : `${name}.md`}`,
    ),
  )
  return links.sort()
}

import { type FSWatcher, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startMcp } from '../e2e/mcp-client.js'
import { servePage, signIn } from '../web-app/served-page.js'
import { allFiles, exited, type Ground, newGround, type Row, randomNumbers, sleep } from './torture.js'

/** How many notes link to the note that is renamed, so that a rename or its undo is one change of that many files. */
const linking = 150
/** How many notes are appended to, or deleted, at the same time. */
const atOnce = 12
/** The next requests after a kill are each answered within this time, the first counted from the start of the process. */
const answerMs = 3000

const kinds = ['rename', 'batch', 'delete', 'undo', 'change'] as const

/** A server that changes notes for its clients, in a process that can be killed. */
interface KillableServer {
  kill(): Promise<unknown>
  /** Asks for a change, and answers when it is done. Never answers where the process is killed first. */
  rename(from: string, to: string): Promise<unknown>
  append(note: string, line: string): Promise<unknown>
  remove(note: string): Promise<unknown>
  undoRename(): Promise<unknown>
  /** Adds a line to all notes of a folder as one change; absent where no request without a model does that. */
  addToAll?(folder: string, line: string): Promise<unknown>
  /** The number of notes that link to a note, as the index knows them. */
  countBacklinks(note: string): Promise<number>
}

export type Door = (ground: Ground) => Promise<KillableServer>

/**
 * Kills a server in the middle of changes of many files, again and again. After each kill every note must be old or new,
 * after the next start each change all or nothing, and the next request answered soon and from what the notes say.
 */
export async function serverKills(name: string, open: Door, kills: number, seed: number): Promise<Row> {
  const ground = newGround()
  const random = randomNumbers(seed)
  const counts = { torn: 0, mixed: 0, 'stray files': 0, 'wrong answers': 0, late: 0, 'killed in a change': 0 }
  const answers: number[] = []
  let losses = 0
  writeNotes(ground.root)
  let server = await open(ground)
  for (let trial = 0; trial < kills; trial++) {
    const possible = kinds.filter((kind) => kind !== 'change' || server.addToAll !== undefined)
    const kind = possible[trial % possible.length]
    await prepare(kind, ground.root, server)
    const before = notesIn(ground.root)
    const { work, after } = begin(kind, server, before, trial)
    await Promise.race([firstChange(ground.root), work.catch(() => undefined), sleep(5000)])
    await sleep(random() * (trial % 3 === 0 ? 20 : 150))
    await server.kill()

    const killed = notesIn(ground.root)
    const isTorn = [...killed].some(([path, text]) => text !== before.get(path) && text !== after.get(path))
    const isWhole = isAllOf(killed, before) || isAllOf(killed, after)
    if (!isWhole || hasStrays(ground.root)) counts['killed in a change']++

    const [probe, renamed] = probesIn(killed)
    const startedAt = performance.now()
    server = await open(ground)
    await server.rename(probe, renamed)
    const renamedAt = performance.now()
    const mended = notesIn(ground.root)
    const found = await server.countBacklinks(hubIn(mended))
    answers.push(Math.round(Math.max(renamedAt - startedAt, performance.now() - renamedAt)))
    const isRenamed = mended.delete(renamed)
    mended.set(probe, killed.get(probe)!)
    const isMixed =
      kind === 'batch' || kind === 'delete'
        ? [...new Set([...before.keys(), ...mended.keys()])].some(
            (path) => mended.get(path) !== before.get(path) && mended.get(path) !== after.get(path),
          )
        : !isAllOf(mended, before) && !isAllOf(mended, after)
    const isWrong = found !== linking || !isRenamed
    const isLate = answers[trial] > answerMs
    counts.torn += Number(isTorn)
    counts.mixed += Number(isMixed)
    counts['stray files'] += Number(hasStrays(ground.root))
    counts['wrong answers'] += Number(isWrong)
    counts.late += Number(isLate)
    if (isTorn || isMixed || isWrong || isLate || hasStrays(ground.root)) losses++
  }
  await server.kill()
  rmSync(ground.base, { recursive: true, force: true })
  answers.sort((a, b) => a - b)
  const share = (part: number) => answers[Math.min(answers.length - 1, Math.floor(answers.length * part))]
  const times = { 'next answer ms: median': share(0.5), '95 %': share(0.95), slowest: share(1) }
  return { name: `kill -9, ${name}`, trials: kills, losses, notes: { ...counts, ...times } }
}

function writeNotes(root: string): void {
  for (const folder of ['Links', 'Lists', 'Old', 'Other']) mkdirSync(join(root, folder), { recursive: true })
  mkdirSync(join(root, '.obsidian'))
  writeFileSync(join(root, '.obsidian/app.json'), '{"trashOption": "local"}')
  writeFileSync(join(root, 'Probe one.md'), '# Probe\n\nRenamed after each kill.\n')
  writeFileSync(join(root, 'Hub one.md'), '# Hub\n\nWhat many notes link to.\n')
  for (let at = 0; at < linking; at++) {
    writeFileSync(join(root, `Links/Link ${at}.md`), `# Link ${at}\n\nSee [[Hub one]], which is number ${at}.\n`)
  }
  for (let at = 0; at < atOnce; at++) writeFileSync(join(root, listNote(at)), `# List ${at}\n\nfirst\n`)
  for (let at = 0; at < 200; at++) writeFileSync(join(root, `Other/Other ${at}.md`), `# Other ${at}\n\nWords ${at}.\n`)
}

const listNote = (at: number): string => `Lists/List ${at}.md`
const oldNote = (at: number): string => `Old/Old ${at}.md`

async function prepare(kind: (typeof kinds)[number], root: string, server: KillableServer): Promise<void> {
  if (kind === 'delete') {
    for (let at = 0; at < atOnce; at++) writeFileSync(join(root, oldNote(at)), `# Old ${at}\n\nTo be deleted.\n`)
  }
  if (kind === 'undo') {
    const hub = hubIn(notesIn(root))
    await server.rename(hub, otherHub(hub))
  }
}

/** Asks for a change, and says what the notes are when it is done. */
function begin(kind: (typeof kinds)[number], server: KillableServer, before: Map<string, string>, trial: number) {
  const after = new Map(before)
  if (kind === 'batch') {
    const work = Array.from({ length: atOnce }, (_, at) => {
      after.set(listNote(at), `${before.get(listNote(at))}trial ${trial}\n`)
      return server.append(listNote(at), `trial ${trial}`)
    })
    return { work: Promise.all(work), after }
  }
  if (kind === 'delete') {
    const work = Array.from({ length: atOnce }, (_, at) => {
      after.delete(oldNote(at))
      return server.remove(oldNote(at))
    })
    return { work: Promise.all(work), after }
  }
  if (kind === 'change') {
    for (const [path, text] of before) if (path.startsWith('Links/')) after.set(path, `${text}trial ${trial}\n`)
    return { work: server.addToAll!('Links', `trial ${trial}`), after }
  }
  const [from, to] = [hubIn(before), otherHub(hubIn(before))]
  after.set(to, before.get(from)!)
  after.delete(from)
  for (const [path, text] of before) after.has(path) && after.set(path, text.replace(bare(from), bare(to)))
  return { work: kind === 'rename' ? server.rename(from, to) : server.undoRename(), after }
}

const bare = (note: string): string => `[[${note.replace(/\.md$/, '')}]]`
const hubIn = (notes: Map<string, string>): string => (notes.has('Hub one.md') ? 'Hub one.md' : 'Hub two.md')
const probesIn = (notes: Map<string, string>): [string, string] =>
  notes.has('Probe one.md') ? ['Probe one.md', 'Probe two.md'] : ['Probe two.md', 'Probe one.md']
const otherHub = (hub: string): string => (hub === 'Hub one.md' ? 'Hub two.md' : 'Hub one.md')

const isHidden = (path: string): boolean => path.split('/').some((name) => name.startsWith('.'))

function notesIn(root: string): Map<string, string> {
  return new Map([...allFiles(root)].filter(([path]) => !isHidden(path)).map(([path, bytes]) => [path, `${bytes}`]))
}

const hasStrays = (root: string): boolean =>
  [...allFiles(root).keys()].some((path) => isHidden(path) && !/^\.(obsidian|trash)\//.test(path))

function isAllOf(notes: Map<string, string>, version: Map<string, string>): boolean {
  return notes.size === version.size && [...version].every(([path, text]) => notes.get(path) === text)
}

function firstChange(root: string): Promise<void> {
  return new Promise((resolve) => {
    const watchers: FSWatcher[] = ['', 'Links', 'Lists', 'Old'].map((folder) =>
      watch(join(root, folder), () => {
        for (const watcher of watchers) watcher.close()
        resolve()
      }),
    )
  })
}

function environmentOf({ base, stateDir }: Ground): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: base, NOTEWRIGHT_HOME: stateDir, TZ: 'UTC' }
}

export const mcpServer: Door = async (ground) => {
  const client = await startMcp(['--vault', ground.root, '--approvals', 'auto'], environmentOf(ground))
  const call = async (name: string, input: object) => {
    const { result } = await client.call(name, input)
    if (result.isError) throw new Error(result.content[0].text)
    return result
  }
  return {
    kill() {
      client.child.kill('SIGKILL')
      return exited(client.child)
    },
    rename: (path, to) => call('rename_note', { path, new_path: `/${to}` }),
    append: (path, line) => call('append_note', { path, content: `${line}\n` }),
    remove: (path) => call('delete_note', { path }),
    undoRename: () => call('undo_last_change', {}),
    addToAll: (folder, text) => call('change_notes', { folder, operations: [{ op: 'append', text }] }),
    async countBacklinks(path) {
      const { links } = (await call('list_backlinks', { path })).structuredContent
      return new Set(links.map(({ source_path }: { source_path: string }) => source_path)).size
    },
  }
}

export const pageServer: Door = async (ground) => {
  const served = await servePage({ vault: ground.root, environment: environmentOf(ground) })
  const headers = await signIn(served)
  async function api<T>(path: string, body?: object): Promise<T> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${served.url}/api/${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  async function turn(text: string): Promise<void> {
    const { id } = await api<{ id: string }>('sessions', { consent: 'auto' })
    await api(`sessions/${id}/turns`, { text, consent: 'auto' })
    while ((await api<{ running: boolean }>(`sessions/${id}`)).running) await sleep(20)
  }
  const named = (note: string) => `"${note}"`
  return {
    kill: () => served.stop('SIGKILL'),
    rename: (from, to) => turn(`rename ${named(from)} to ${named(`/${to}`)}`),
    append: (note, line) => turn(`append ${line} to ${named(note)}`),
    remove: (note) => turn(`delete ${named(note)}`),
    async undoRename() {
      const { changes } = await api<{ changes: { id: string; state: string }[] }>('activity')
      const last = changes.find(({ state }) => state === 'applied')!
      const plan = await api<{ id: string }>('undo', { id: last.id })
      await api(`plans/${plan.id}`, {})
    },
    countBacklinks: async (note) =>
      (await api<{ backlinkCount: number }>(`note?target=${encodeURIComponent(note)}`)).backlinkCount,
  }
}

import type { Notebook } from '../../../src/core/index/index.js'
import {
  type Change,
  type ChangeSet,
  changeSet,
  type NotePath,
  type Resolution,
} from '../../../src/core/vault/index.js'
import type { ChangeKind } from './plan.js'

/** A task for a process. Plain data, because it may run in another process. */
export type Task =
  | { do: 'change'; id: string; change: ChangeKind; pick: number }
  | { do: 'undo'; id: string; undoes: string }
  | { do: 'settle'; id: string; settles: { id: string; note: string }; how: Resolution }
  | { do: 'index'; commitsUntilKilled?: number }

/** Plans the change set of a task, from the notes as they are; undefined where there is nothing to do it to. */
export async function planTask(task: ChangingTask, notebook: Notebook): Promise<ChangeSet | undefined> {
  switch (task.do) {
    case 'undo':
      return { ...(await notebook.planUndo({ id: task.undoes })), id: task.id }
    case 'settle': {
      const { id, note } = task.settles
      const decisions = [{ note: note as NotePath, how: task.how }]
      return { ...(await notebook.vault.planResolution({ id, decisions })), id: task.id }
    }
    case 'change': {
      const planned = await planners[task.change](notebook, task.pick, task.id)
      if (planned === undefined || planned.changes.length === 0) return undefined
      return { ...planned, id: task.id, title: `${task.id}: ${planned.title}` }
    }
  }
}

export type ChangingTask = Exclude<Task, { do: 'index' }>

type Planner = (notebook: Notebook, pick: number, mark: string) => Promise<ChangeSet | undefined>

const planners: Record<ChangeKind, Planner> = {
  edit: (notebook, pick, mark) => edits(notebook, pick, 1, mark),
  'edit several': (notebook, pick, mark) => edits(notebook, pick, 2 + (pick % 3), mark),
  async move(notebook, pick, mark) {
    const [path] = await notes(notebook, pick)
    if (path === undefined) return undefined
    const name = path.slice(path.lastIndexOf('/') + 1)
    const to = [`new ${mark}/${name}`, `h/${name}`, `Moved ${mark}.md`, `f/Moved ${mark}.md`][pick % 4]
    return (await notebook.index.planMove(path, to)).changeSet
  },
  async 'move a folder'(notebook, pick, mark) {
    const folders = (await notes(notebook, pick)).filter((path) => path.includes('/')).map((path) => path.split('/')[0])
    if (folders.length === 0) return undefined
    return (await notebook.index.planMove(folders[0], pick % 2 ? `folder ${mark}` : `into/${mark}`)).changeSet
  },
  async respell(notebook, pick) {
    const [path] = await notes(notebook, pick)
    if (path === undefined) return undefined
    const at = path.lastIndexOf('/') + 1
    const name = path.slice(at, -3)
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
    return name === other
      ? undefined
      : (await notebook.index.planMove(path, `${path.slice(0, at)}${other}.md`)).changeSet
  },
  create: async (_, pick, mark) =>
    changeSet('Create', [newNote(pick % 2 ? `made/${mark}/New ${mark}.md` : `New ${mark}.md`, mark)]),
  async append(notebook, pick, mark) {
    const [path] = await notes(notebook, pick)
    return path && changeSet('Append', [{ kind: 'append', path, added: bytes(`Added by ${mark}.\n`) }])
  },
  async trash(notebook, pick) {
    const [path] = await notes(notebook, pick)
    const note = path && (await notebook.vault.read(path))
    return note && changeSet('Delete', [{ kind: 'trash', path: note.path, before: note.hash }])
  },
  async 'everything at once'(notebook, pick, mark) {
    const moving = await planners.move(notebook, pick, mark)
    if (moving === undefined) return undefined
    const touched = new Set(
      moving.changes.flatMap((change) => (change.kind === 'move' ? [change.path, change.to] : [change.path])),
    )
    const others = (await notes(notebook, pick >> 3)).filter((path) => !touched.has(path))
    const changes: Change[] = [...moving.changes, newNote(`made/New ${mark}.md`, mark)]
    const gone = others[0] && (await notebook.vault.read(others[0]))
    if (gone !== undefined) changes.push({ kind: 'trash', path: gone.path, before: gone.hash })
    if (others[1] !== undefined) changes.push(await edited(notebook, others[1], mark))
    return { ...moving, changes }
  },
}

async function edits(notebook: Notebook, pick: number, count: number, mark: string): Promise<ChangeSet | undefined> {
  const paths = (await notes(notebook, pick)).slice(0, count)
  if (paths.length === 0) return undefined
  return changeSet('Edit', await Promise.all(paths.map((path) => edited(notebook, path, mark))))
}

async function edited(notebook: Notebook, path: NotePath, mark: string): Promise<Change> {
  const { text, hash } = (await notebook.vault.read(path))!
  const lines = text.split('\n')
  lines.splice(Math.min(2, lines.length), 0, `Edited by ${mark}.`)
  return { kind: 'edit', path, before: hash, after: bytes(lines.join('\n')) }
}

function newNote(path: string, mark: string): Change {
  return { kind: 'create', path: path as NotePath, after: bytes(`# New note\n\nMade by ${mark}.\n`) }
}

/** All notes, beginning with the one picked. */
async function notes({ vault }: Notebook, pick: number): Promise<NotePath[]> {
  const paths = (await vault.files()).map(({ path }) => path).filter((path) => path.endsWith('.md'))
  const first = paths.length === 0 ? 0 : pick % paths.length
  return [...paths.slice(first), ...paths.slice(0, first)]
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

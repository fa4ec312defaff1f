import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import { DrawnIcon } from '../../../../ui/index.js'
import { useLoaded } from '../use-loaded.js'

interface Folder {
  name: string
  path: string
  /** Notes in it and below it. */
  count: number
  folders: Folder[]
  notes: string[]
}

/** More rows would make the page slow; the rest is found by search. */
const mostRows = 500

/** After a list that could not be loaded. */
const retryMs = 5000

interface NoteTreeProps {
  /** Path of the open note. */
  current: string | undefined
  /** The index is not complete yet. */
  isReading: boolean
  /** Another value: notes may have been added, moved or deleted. */
  version: string
  onOpen(path: string): void
}

/** The vault as a tree. Folders are closed at first; only what is open is drawn. */
export function NoteTree({ current, isReading, version, onOpen }: NoteTreeProps) {
  const { answer, trouble, look } = useLoaded<{ notes: string[] }>('tree')
  const shown = useRef(version)
  useEffect(() => {
    if (shown.current !== version) void look()
    shown.current = version
  }, [version])
  useEffect(() => {
    if (trouble === undefined) return
    const timer = setTimeout(() => void look(), retryMs)
    return () => clearTimeout(timer)
  }, [trouble])
  const root = useMemo(() => (answer === undefined ? undefined : folderTree(answer.notes)), [answer])
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // While the server is busy, the last list stays.
  if (root === undefined)
    return trouble === undefined ? null : <p class="page-side-empty">The notes can't be listed now. Trying again.</p>
  if (root.count === 0) return <p class="page-side-empty">{isReading ? 'Reading your notes…' : 'No notes yet.'}</p>
  const toggle = (path: string) => {
    const next = new Set(open)
    if (!next.delete(path)) next.add(path)
    setOpen(next)
  }
  return (
    <div class="page-tree">
      <FolderRows folder={root} depth={0} open={open} toggle={toggle} current={current} onOpen={onOpen} />
    </div>
  )
}

interface RowsProps {
  folder: Folder
  depth: number
  open: ReadonlySet<string>
  toggle(path: string): void
  current: string | undefined
  onOpen(path: string): void
}

function FolderRows(props: RowsProps) {
  const { folder, depth, open, toggle, current, onOpen } = props
  const style = { '--depth': depth }
  const shown = folder.notes.slice(0, mostRows)
  return (
    <ul>
      {folder.folders.map((each) => (
        <li key={each.path}>
          <button
            type="button"
            class="page-row"
            style={style}
            aria-expanded={open.has(each.path)}
            onClick={() => toggle(each.path)}
          >
            <DrawnIcon name={open.has(each.path) ? 'down' : 'fold'} />
            <DrawnIcon name="folder" />
            <span class="nw-cut nw-grow">{visibleText(each.name).text}</span>
            <span class="nw-facts-line nw-number">{each.count}</span>
          </button>
          {open.has(each.path) && <FolderRows {...props} folder={each} depth={depth + 1} />}
        </li>
      ))}
      {shown.map((path) => (
        <li key={path}>
          <button
            type="button"
            class="page-row page-row-note"
            style={style}
            title={visibleText(path).text}
            aria-current={path === current ? 'true' : undefined}
            onClick={() => onOpen(path)}
          >
            <DrawnIcon name="note" />
            <span class="nw-cut nw-grow">{visibleText(noteName(path)).text}</span>
          </button>
        </li>
      ))}
      {folder.notes.length > mostRows && (
        <li class="page-side-empty">{folder.notes.length - mostRows} more notes: use the search.</li>
      )}
    </ul>
  )
}

/** The name of a note as people call it: without folder and ending. */
export const noteName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

/** Folders and notes in alphabetical order, numbers by value. */
export function folderTree(paths: readonly string[]): Folder {
  const root: Folder = { name: '', path: '', count: 0, folders: [], notes: [] }
  const known = new Map<string, Folder>([['', root]])
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1)
    let at = root
    at.count++
    for (const [depth, name] of parts.entries()) {
      const own = parts.slice(0, depth + 1).join('/')
      let next = known.get(own)
      if (next === undefined) {
        next = { name, path: own, count: 0, folders: [], notes: [] }
        known.set(own, next)
        at.folders.push(next)
      }
      next.count++
      at = next
    }
    at.notes.push(path)
  }
  const order = new Intl.Collator(undefined, { numeric: true })
  for (const folder of known.values()) {
    folder.folders.sort((a, b) => order.compare(a.name, b.name))
    folder.notes.sort((a, b) => order.compare(noteName(a), noteName(b)))
  }
  return root
}

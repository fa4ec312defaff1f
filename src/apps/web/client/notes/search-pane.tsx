import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { SearchAnswer, SearchHit } from '../../../../core/index/index.js'
import { visibleText } from '../../../../core/text/index.js'
import {
  DrawnIcon,
  FailureBox,
  type HitPreview,
  NoteView,
  placeOf,
  type SearchInput,
  SearchPanel,
  type SearchQuery,
  Skeleton,
  type SuggestFilter,
  useHost,
} from '../../../../ui/index.js'
import { failureOf, getJson, postJson } from '../ask-server.js'
import { FileView } from './file-view.js'
import { type LoadedFile, loadFile, obsidianLink } from './loaded-note.js'

const ask = (wish: SearchInput) => postJson<SearchAnswer>('search', wish)

const suggest: SuggestFilter = async (kind, wanted) =>
  (await getJson<{ values: string[] }>(`filters?kind=${kind}&wanted=${encodeURIComponent(wanted)}`)).values

interface SearchPaneProps {
  initial: SearchQuery
  onQuery(query: SearchQuery): void
  /** A question about these notes. */
  onAsk(words: string): void
}

export function SearchPane({ initial, onQuery, onAsk }: SearchPaneProps) {
  const asked = useRef(onAsk)
  asked.current = onAsk
  const Preview = useMemo(
    (): HitPreview => (shown) => <PreviewedNote {...shown} onAsk={(path) => asked.current(mention(path))} />,
    [],
  )
  return (
    <section class="page-search" aria-label="Search">
      <h2 class="nw-said">Search</h2>
      <SearchPanel
        ask={ask}
        initial={initial}
        suggest={suggest}
        Preview={Preview}
        onAsk={(paths, words) => onAsk(paths.length === 0 ? words : paths.map(mention).join(' '))}
        onQuery={onQuery}
      />
      <footer class="page-hints" aria-hidden="true">
        <Hint keys={['↑', '↓']} does="Move" />
        <Hint keys={['↵']} does="Open" />
        <Hint keys={['Ctrl', '↵']} does="Ask about these notes" />
        <Hint keys={['Esc']} does="Clear" />
      </footer>
    </section>
  )
}

/** A note as a question names it. */
const mention = (path: string): string => `@[[${path.replace(/\.md$/i, '')}]]`

function Hint({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <span>
      <span class="nw-keys">
        {keys.map((key) => (
          <kbd class="nw-key" key={key}>
            {key}
          </kbd>
        ))}
      </span>{' '}
      {does}
    </span>
  )
}

/** A key pressed within this time moves on before the note is loaded. */
const restMs = 80

/** The selected note, with the passage and the words marked. */
function PreviewedNote({ hit, words, onAsk }: { hit: SearchHit; words: readonly string[]; onAsk(path: string): void }) {
  const { openNote } = useHost()
  const [file, setFile] = useState<LoadedFile | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  const { path } = hit
  const place = useMemo(() => placeOf(hit, words), [hit, words])
  useEffect(() => {
    let isLate = false
    setTrouble(undefined)
    const timer = setTimeout(() => {
      loadFile(path).then(
        (found) => isLate || setFile(found),
        (error) => isLate || setTrouble(error),
      )
    }, restMs)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [path])
  const obsidian = file && obsidianLink(file)
  return (
    <>
      <header class="nw-preview-head">
        <span class="nw-facts-line nw-cut nw-grow">{visibleText(path.replaceAll('/', ' › ')).text}</span>
        <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => onAsk(path)}>
          <DrawnIcon name="chat" />
          Ask about it
        </button>
        <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => openNote(path, place)}>
          <DrawnIcon name="note" />
          Open
        </button>
        {obsidian && (
          <a
            class="nw-btn nw-btn-plain nw-btn-icon nw-btn-small"
            href={obsidian}
            aria-label="Open in Obsidian"
            title="Open in Obsidian"
          >
            <DrawnIcon name="open" />
          </a>
        )}
      </header>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The note cannot be shown" />}
      {file === undefined && trouble === undefined && <Skeleton label="Reading the note" />}
      {file?.kind === 'note' && (
        <NoteView key={file.path} note={file} place={file.path === path ? place : undefined} words={words} />
      )}
      {file && file.kind !== 'note' && <FileView file={file} />}
    </>
  )
}

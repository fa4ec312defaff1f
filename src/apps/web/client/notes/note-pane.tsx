import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RelatedNote } from '../../../../core/index/index.js'
import { visibleText } from '../../../../core/text/index.js'
import { DrawnIcon, FailureBox, Fold, type NoteLocation, NoteRail, NoteView, Skeleton } from '../../../../ui/index.js'
import { failureOf, getJson } from '../ask-server.js'
import { NoteGraphPane } from '../panes.js'
import { lazy } from '../shell/lazy.js'
import { FileView } from './file-view.js'
import { type LoadedFile, loadFile, obsidianLink } from './loaded-note.js'
import { readNoteDraft, writeNoteDraft } from './note-drafts.js'

const NoteEditor = lazy(async () => (await import('./note-editor.js')).NoteEditor)

interface NotePaneProps {
  target: string
  place?: NoteLocation | undefined
  /** A page of its own, or beside something else. */
  layout: 'page' | 'side'
  /** The editor is opened at once. */
  isEditing?: boolean | undefined
  onEditing(editing: boolean): void
  /** Opens the note as a page of its own. */
  onExpand(editing: boolean): void
  onAsk(path: string): void
  onTag(tag: string): void
  /** The title and path, once they are known. */
  onLoaded(file: { title: string; path: string }): void
}

/** The note that a link or a citation means. */
export function NotePane(props: NotePaneProps) {
  const { target, place, layout, isEditing = false, onEditing, onExpand, onAsk, onTag, onLoaded } = props
  const [file, setFile] = useState<LoadedFile | undefined>()
  const [related, setRelated] = useState<RelatedNote[] | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  const [changes, setChanges] = useState(0)
  const body = useRef<HTMLElement>(null)
  const wasEditing = useRef(isEditing)

  useEffect(() => {
    setFile(undefined)
    setRelated(undefined)
  }, [target])
  useEffect(() => {
    let isLate = false
    setTrouble(undefined)
    loadFile(target).then(
      (found) => {
        if (isLate) return
        setFile(found)
        onLoaded(found)
      },
      (error) => isLate || setTrouble(error),
    )
    // The note is shown without them where they cannot be found.
    getJson<{ notes: RelatedNote[] }>(`related?target=${encodeURIComponent(noteIn(target))}`).then(
      (found) => isLate || setRelated(found.notes),
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [target, changes])

  // After editing the focus returns to the text.
  useEffect(() => {
    if (wasEditing.current && !isEditing) body.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])

  const heading = file?.kind === 'note' && place?.lines === undefined ? file.heading : undefined
  useEffect(() => {
    if (heading !== undefined) scrollToHeading(body.current, heading)
  }, [heading, file])

  if (trouble !== undefined)
    return (
      <div class="page-note-trouble">
        <FailureBox failure={failureOf(trouble)} title="The note cannot be shown" />
      </div>
    )
  if (file === undefined)
    return (
      <div class="page-note-trouble">
        <Skeleton label="Reading the note" />
      </div>
    )
  const obsidian = obsidianLink(file)
  const actions = (
    <div class="page-note-actions" role="toolbar" aria-label="Note">
      <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => onAsk(file.path)}>
        <DrawnIcon name="chat" />
        Ask about this note
      </button>
      {obsidian && (
        <a class="nw-btn nw-btn-plain nw-btn-small" href={obsidian}>
          <DrawnIcon name="open" />
          Open in Obsidian
        </a>
      )}
      {layout === 'side' && (
        <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => onExpand(false)}>
          <DrawnIcon name="note" />
          Open as a page
        </button>
      )}
      {file.kind === 'note' && !file.isReadOnly && (
        <button
          type="button"
          class="nw-btn-small"
          onClick={() => (layout === 'page' ? onEditing(true) : onExpand(true))}
        >
          <DrawnIcon name="edit" />
          Edit
        </button>
      )}
    </div>
  )
  const frame = (content: ComponentChildren, rail: ComponentChildren = null) => (
    <div class={layout === 'page' ? 'page-note' : 'page-note page-note-side'}>
      {isEditing && layout === 'page' && file.kind === 'note' ? null : actions}
      <section class="page-note-body" ref={body} tabIndex={-1} aria-label={visibleText(file.title).text}>
        {content}
      </section>
      {rail}
    </div>
  )
  if (file.kind !== 'note') return frame(<FileView file={file} />)
  if (isEditing && layout === 'page')
    return frame(
      <NoteEditor
        key={file.path}
        note={file}
        line={place?.lines?.[0]}
        onSaved={() => setChanges((before) => before + 1)}
        onLeave={() => onEditing(false)}
      />,
    )
  return frame(
    <>
      <UnsavedText path={file.path} hash={file.hash} text={file.text} onEdit={() => onExpand(true)} />
      {file.isReadOnly && (
        <p class="nw-note-warn">
          This note is not valid UTF-8: some characters may be wrong, and it cannot be edited here.
        </p>
      )}
      <NoteView note={file} place={place} onTag={onTag} />
    </>,
    <NoteRail
      headings={file.headings}
      backlinks={file.backlinks}
      backlinkCount={file.backlinkCount}
      links={file.links}
      related={related}
      onHeading={(at) => scrollToHeading(body.current, file.headings[at]!.text, countBefore(file.headings, at))}
    >
      <Fold label="Graph" key={file.path}>
        {() => <NoteGraphPane path={file.path} />}
      </Fold>
    </NoteRail>,
  )
}

/** A target without the heading it may name. */
const noteIn = (target: string): string => target.replace(/#.*/s, '')

/** Something was typed into this note and not saved. */
function UnsavedText({ path, hash, text, onEdit }: { path: string; hash: string; text: string; onEdit(): void }) {
  const [draft, setDraft] = useState(() => readNoteDraft(path))
  useEffect(() => setDraft(readNoteDraft(path)), [path, hash])
  if (draft === undefined || draft.text === text) return null
  return (
    <section class="nw-note-warn" aria-label="Unsaved text">
      <span class="nw-grow">You have unsaved text in this note.</span>
      <button type="button" class="nw-btn-small" onClick={onEdit}>
        Continue editing
      </button>
      <button
        type="button"
        class="nw-btn-small nw-btn-plain"
        onClick={() => {
          writeNoteDraft(path, undefined)
          setDraft(undefined)
        }}
      >
        Discard
      </button>
    </section>
  )
}

const countBefore = (headings: readonly { text: string }[], at: number): number =>
  headings.slice(0, at).filter(({ text }) => text === headings[at]!.text).length

/** A heading by its text; `number` counts headings with the same text. The note's title counts as its first heading. */
function scrollToHeading(body: HTMLElement | null, text: string, number = 0): void {
  const wanted = plainHeading(text)
  const found = [...(body?.querySelectorAll<HTMLElement>('.nw-note-title, [class*="nw-heading-"]') ?? [])].filter(
    ({ textContent }) => plainHeading(textContent ?? '') === wanted,
  )
  const heading = found[number] ?? found[0]
  if (heading === undefined) return
  heading.tabIndex = -1
  heading.scrollIntoView({ block: 'start' })
  heading.focus({ preventScroll: true })
}

/** Links to headings leave out marks, and spaces count as one. */
const plainHeading = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

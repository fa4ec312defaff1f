import type { ComponentChildren, VNode } from 'preact'
import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { CopyButton } from '../chat/copy-button.js'
import { type CodeSpan, useHost } from '../ui-host.js'
import { CalloutView } from './callout.js'
import { CitationMark, useCitation } from './citation-mark.js'
import { completeTail } from './complete-tail.js'
import { Diagram } from './diagram.js'
import {
  emptySealedText,
  hostOf,
  inlineText,
  liveTail,
  type MarkdownBlock,
  type MarkdownInline,
  readMarkdown,
  sealText,
  showsItsHost,
  splitBlocks,
} from './read-markdown.js'

/** State shared by all parts of one text. */
interface MarkdownScope {
  /** Numbers of footnotes, in the order in which they are mentioned. */
  footnotes: Map<string, number>
  /** How many embeds this text is in. */
  depth: number
}

const ScopeContext = createContext<MarkdownScope>({ footnotes: new Map(), depth: 0 })

/** Draws Markdown as nodes. While it grows, only its end is read and drawn again. */
export function MarkdownView({ text, live = false }: { text: string; live?: boolean }) {
  const known = useRef(emptySealedText)
  const { depth } = useContext(ScopeContext)
  const scope = useRef<MarkdownScope>({ footnotes: new Map(), depth })
  const { text: before } = known.current
  if (!text.startsWith(before)) scope.current = { footnotes: new Map(), depth }
  known.current = sealText(text, known.current)
  const { sealed } = known.current
  const tail = liveTail(known.current)
  // One list of pieces: a piece that becomes complete keeps its key, and with it its elements.
  const pieces = [...sealed, ...splitBlocks(live ? completeTail(tail) : tail)]
  return (
    <ScopeContext.Provider value={scope.current}>
      <div class={live ? 'nw-prose nw-prose-live' : 'nw-prose'}>
        {pieces.map((source, at) => (
          <DrawnBlocks key={at} source={source} isOpen={live && at === pieces.length - 1} />
        ))}
      </div>
    </ScopeContext.Provider>
  )
}

/** The same nodes for the same source: Preact does not look into them again. `isOpen`: the last one is still growing. */
function DrawnBlocks({ source, isOpen }: { source: string; isOpen: boolean }): VNode {
  return useMemo(() => {
    const blocks = readMarkdown(source)
    return <>{blocks.map((block, at) => drawBlock(block, isOpen && at === blocks.length - 1))}</>
  }, [source, isOpen])
}

const drawBlocks = (blocks: readonly MarkdownBlock[], isOpen = false): ComponentChildren =>
  blocks.map((block, at) => drawBlock(block, isOpen && at === blocks.length - 1))

function drawBlock(block: MarkdownBlock, isOpen: boolean): ComponentChildren {
  switch (block.kind) {
    case 'paragraph':
      return <p>{drawInline(block.inner)}</p>
    case 'heading':
      // Below the headings of the page, and all of one rank: a text may begin with any.
      return <h3 class={`nw-heading-${block.level}`}>{drawInline(block.inner)}</h3>
    case 'code':
      return <CodeOrDiagram language={languageOf(block.info)} text={block.text} isOpen={isOpen} />
    case 'quote':
      if (block.callout === undefined) return <blockquote>{drawBlocks(block.blocks, isOpen)}</blockquote>
      return (
        <CalloutView callout={block.callout} title={drawInline(block.callout.title)}>
          {block.blocks.length > 0 ? drawBlocks(block.blocks, isOpen) : undefined}
        </CalloutView>
      )
    case 'list':
      return drawList(block, isOpen)
    case 'table':
      return drawTable(block)
    case 'rule':
      return <hr />
    case 'math':
      return <Formula text={block.text} isBlock isOpen={isOpen} />
    case 'footnote':
      return <Footnote id={block.id}>{drawInline(block.inner)}</Footnote>
    case 'source':
      return <p class="nw-source">{visibleText(block.text).text}</p>
    default:
      return block satisfies never
  }
}

const languageOf = (info: string): string => /^[\w+#.-]{0,30}/.exec(info.trim())?.[0].toLowerCase() ?? ''

interface CodeProps {
  language: string
  text: string
  /** More of it will follow. */
  isOpen: boolean
}

function CodeOrDiagram(props: CodeProps) {
  const { drawDiagram } = useHost()
  if (props.language !== 'mermaid' || props.isOpen || drawDiagram === undefined) return <Code {...props} />
  return <Diagram text={props.text} code={(toggle) => <Code {...props} actions={toggle} />} />
}

/** Longer code has no colours: they would take too long. */
const longestColoured = 50_000

/** Code with its language and a button that copies it. Colours come when it is complete. */
function Code({ language, text, isOpen, actions }: CodeProps & { actions?: ComponentChildren }) {
  const { codeColours } = useHost()
  const [spans, setSpans] = useState<readonly CodeSpan[] | undefined>()
  const shown = visibleText(text).text
  useEffect(() => {
    setSpans(undefined)
    if (isOpen || language === '' || codeColours === undefined || shown.length > longestColoured) return
    let isLate = false
    codeColours(shown, language).then(
      (found) => isLate || setSpans(found),
      // Without colours it can be read too.
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [shown, language, isOpen])
  return (
    <figure class="nw-code">
      <header>
        <span class="nw-grow">{language}</span>
        {actions}
        <CopyButton text={() => text} label="Copy code" words />
      </header>
      <pre tabIndex={0} data-language={language || undefined}>
        <code>{spans === undefined ? shown : spans.map(drawSpan)}</code>
      </pre>
    </figure>
  )
}

const drawSpan = (span: CodeSpan): ComponentChildren =>
  typeof span === 'string' ? span : <span class={span.name}>{span.inner.map(drawSpan)}</span>

/** A formula; its source while it is being written, and where it cannot be drawn. */
function Formula({ text, isBlock, isOpen = false }: { text: string; isBlock: boolean; isOpen?: boolean }) {
  const { Formula: Drawn } = useHost()
  const source = <code class="nw-math-source">{visibleText(text).text}</code>
  const drawn = Drawn === undefined || isOpen ? source : <Drawn text={text} isBlock={isBlock} source={source} />
  return isBlock ? (
    <span class="nw-math" tabIndex={0} role="group" aria-label="Formula">
      {drawn}
    </span>
  ) : (
    drawn
  )
}

function drawList({ start, items }: Extract<MarkdownBlock, { kind: 'list' }>, isOpen: boolean): VNode {
  const drawn = items.map(({ done, blocks }, at) => (
    <li class={done === undefined ? undefined : 'nw-task'}>
      {done !== undefined && <input type="checkbox" checked={done} disabled aria-label={done ? 'done' : 'not done'} />}
      {drawBlocks(blocks, isOpen && at === items.length - 1)}
    </li>
  ))
  return start === undefined ? <ul>{drawn}</ul> : <ol start={start}>{drawn}</ol>
}

function drawTable({ head, rows, align }: Extract<MarkdownBlock, { kind: 'table' }>): VNode {
  const aligned = (at: number) => (align[at] === undefined || align[at] === 'start' ? undefined : `nw-${align[at]}`)
  return (
    <div role="group" class="nw-table" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {head.map((cell, at) =>
              cell.length > 0 ? (
                <th scope="col" class={aligned(at)}>
                  {drawInline(cell)}
                </th>
              ) : (
                <td />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell, at) => (
                <td class={aligned(at)}>{drawInline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const drawInline = (inner: readonly MarkdownInline[]): ComponentChildren =>
  inner.map((one, at) => {
    const before = inner[at - 1]
    // A link after the words it supports is a citation alone; in a sentence it is a part of it.
    if (one.kind !== 'note-link' || one.embed || before?.kind !== 'text' || !endsClaim.test(before.text))
      return draw(one)
    return <CitedLink {...one} />
  })

const endsClaim = /[.!?:,;"”»』」)(—–-]\s*$/

const shown = (text: string): string => visibleText(text).text

function draw(one: MarkdownInline): ComponentChildren {
  switch (one.kind) {
    case 'text':
      return shown(one.text)
    case 'code':
      return <code>{shown(one.text)}</code>
    case 'emphasis':
      return <em>{drawInline(one.inner)}</em>
    case 'strong':
      return <strong>{drawInline(one.inner)}</strong>
    case 'strike':
      return <del>{drawInline(one.inner)}</del>
    case 'mark':
      return <mark>{drawInline(one.inner)}</mark>
    case 'break':
      return <br />
    case 'math':
      return <Formula text={one.text} isBlock={one.isBlock} />
    case 'footnote':
      return <FootnoteReference id={one.id} />
    case 'footnote-text':
      return <span class="nw-footnote-text"> ({drawInline(one.inner)})</span>
    case 'link':
      return <AwayLink {...one} />
    case 'note-link':
      return one.embed ? <EmbeddedNote {...one} /> : <NoteLink {...one} />
    case 'picture':
      return (
        <span class="nw-inert">
          {shown(`[picture: ${one.label || 'without words'}, not loaded from ${one.target}]`)}
        </span>
      )
    default:
      return one satisfies never
  }
}

function useFootnoteNumber(id: string): number {
  const { footnotes } = useContext(ScopeContext)
  const number = footnotes.get(id) ?? footnotes.size + 1
  footnotes.set(id, number)
  return number
}

const footnoteIn = (element: HTMLElement, name: string, id: string): HTMLElement | undefined =>
  [...(element.closest('.nw-prose')?.querySelectorAll<HTMLElement>(`[${name}]`) ?? [])].find(
    (found) => found.getAttribute(name) === id,
  )

function goTo(element: HTMLElement | undefined): void {
  element?.scrollIntoView({ block: 'nearest' })
  element?.querySelector('button')?.focus({ preventScroll: true })
}

function FootnoteReference({ id }: { id: string }) {
  const number = useFootnoteNumber(id)
  return (
    <sup class="nw-footnote-mark" data-footnote-mark={id}>
      <button
        type="button"
        class="nw-link"
        aria-label={`Footnote ${number}`}
        onClick={({ currentTarget }) => goTo(footnoteIn(currentTarget, 'data-footnote', id))}
      >
        {number}
      </button>
    </sup>
  )
}

function Footnote({ id, children }: { id: string; children: ComponentChildren }) {
  const number = useFootnoteNumber(id)
  return (
    <p class="nw-footnote" data-footnote={id}>
      <button
        type="button"
        class="nw-link"
        aria-label={`Back to the mention of footnote ${number}`}
        onClick={({ currentTarget }) => goTo(footnoteIn(currentTarget, 'data-footnote-mark', id))}
      >
        {number}
      </button>
      <span>{children}</span>
    </p>
  )
}

/** Link schemes that may be opened from untrusted text. */
const openable = /^(?:https?|mailto|obsidian):/i

/** A link that leads away shows where to, unless its words are that address; one of an unknown kind is only words. */
function AwayLink({ target, inner }: Extract<MarkdownInline, { kind: 'link' }>) {
  const { openSettings } = useHost()
  const settings = /^notewright:settings(?:\/([\w-]*))?$/i.exec(target.trim())
  if (settings !== null && openSettings !== undefined) {
    return (
      <button type="button" class="nw-link" onClick={() => openSettings(settings[1] ?? '')}>
        {drawInline(inner)}
      </button>
    )
  }
  const rest = showsItsHost(inlineText(inner), target) ? '' : ` (${shown(hostOf(target))})`
  if (!openable.test(target.trim())) {
    return (
      <span class="nw-inert">
        {drawInline(inner)} ({shown(target)})
      </span>
    )
  }
  return (
    <>
      <a href={target} title={shown(target)} target="_blank" rel="noopener noreferrer nofollow">
        {drawInline(inner)}
      </a>
      {rest && <span class="nw-inert">{rest}</span>}
    </>
  )
}

/** Only the number, where the link is a source of the answer. */
function CitedLink(link: Extract<MarkdownInline, { kind: 'note-link' }>) {
  const citation = useCitation(link.target)
  return citation === undefined ? <NoteLink {...link} /> : <CitationMark target={link.target} citation={citation} />
}

function NoteLink({ target, label, embed }: Extract<MarkdownInline, { kind: 'note-link' }>) {
  const { openNote, hoverNote } = useHost()
  return (
    <button
      type="button"
      class="nw-link"
      title={shown(target)}
      onClick={() => openNote(target)}
      onMouseEnter={(event) => hoverNote?.(target, event)}
    >
      {embed ? `Embedded: ${shown(label)}` : shown(label)}
    </button>
  )
}

/** Notes in notes, at most so deep: a note can embed itself. */
const deepestEmbed = 3

/** A note or a picture of the vault in its place; a link to it where the host draws none. */
function EmbeddedNote(link: Extract<MarkdownInline, { kind: 'note-link' }>) {
  const { Embed } = useHost()
  const { footnotes, depth } = useContext(ScopeContext)
  const deeper = useMemo(() => ({ footnotes, depth: depth + 1 }), [footnotes, depth])
  const text = <NoteLink {...link} />
  if (Embed === undefined || depth >= deepestEmbed) return text
  return (
    <ScopeContext.Provider value={deeper}>
      <Embed target={link.target} label={link.label} link={text} />
    </ScopeContext.Provider>
  )
}

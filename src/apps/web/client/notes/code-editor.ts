import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands'
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  LanguageSupport,
  syntaxHighlighting,
} from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { styleTags, tags } from '@lezer/highlight'
import { GFM, type MarkdownConfig, parser } from '@lezer/markdown'

/** An editor for Markdown. */
export interface CodeEditor {
  text(): string
  /** Replaces the text; the user can undo it. */
  replace(text: string): void
  focus(): void
  /** Moves the cursor to a line, 1-based. */
  goTo(line: number): void
  destroy(): void
}

interface CodeEditorOptions {
  text: string
  label: string
  onChange(text: string): void
  onSave(): void
  onLeave(): void
}

/**
 * CodeMirror in a shadow root: there it brings its styles as style sheets of the document, which the page's content
 * security policy lets pass, instead of as an element.
 */
export function openCodeEditor(host: HTMLElement, options: CodeEditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const view = new EditorView({ parent: root, root, state: stateOf(options) })
  return {
    text: () => view.state.doc.toString(),
    replace(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: isolateHistory.of('full'),
      })
    },
    focus: () => view.focus(),
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 16 }),
      })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

function stateOf({ text, label, onChange, onSave, onLeave }: CodeEditorOptions): EditorState {
  const run = (work: () => void) => () => {
    work()
    return true
  }
  return EditorState.create({
    doc: text,
    extensions: [
      // Other line breaks stay inside their lines, so that saving does not change them.
      EditorState.lineSeparator.of('\n'),
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      keymap.of([
        { key: 'Mod-s', run: run(onSave), preventDefault: true },
        { key: 'Escape', run: run(onLeave) },
        ...defaultKeymap,
        ...historyKeymap,
      ]),
      new LanguageSupport(new Language(defineLanguageFacet(), coloured, [], 'markdown')),
      syntaxHighlighting(colours),
      theme,
      EditorView.contentAttributes.of({
        'aria-label': label,
        tabindex: '0',
        spellcheck: 'true',
        autocapitalize: 'sentences',
      }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString())
      }),
    ],
  })
}

/** Properties between `---` at the start, which would be read as a heading otherwise. */
const frontmatter: MarkdownConfig = {
  defineNodes: [{ name: 'Frontmatter', block: true }],
  parseBlock: [
    {
      name: 'Frontmatter',
      before: 'HorizontalRule',
      parse(context, line) {
        if (context.lineStart !== 0 || line.text.trimEnd() !== '---') return false
        let end = context.lineStart + line.text.length
        while (context.nextLine()) {
          end = context.lineStart + line.text.length
          if (!/^(?:---|\.\.\.)\s*$/.test(line.text)) continue
          context.nextLine()
          break
        }
        context.addElement(context.elt('Frontmatter', 0, end))
        return true
      },
    },
  ],
}

const wikilinks: MarkdownConfig = {
  defineNodes: ['Wikilink'],
  parseInline: [
    {
      name: 'Wikilink',
      before: 'Link',
      parse(context, next, at) {
        if (next !== 91 || context.char(at + 1) !== 91) return -1
        const [whole] = /^\[\[[^\]\n[]+\]\]/.exec(context.slice(at, Math.min(context.end, at + 1000))) ?? []
        return whole === undefined ? -1 : context.addElement(context.elt('Wikilink', at, at + whole.length))
      },
    },
  ],
}

const coloured = parser.configure([
  GFM,
  frontmatter,
  wikilinks,
  { props: [styleTags({ Wikilink: tags.link, Frontmatter: tags.meta })] },
])

const theme = EditorView.theme({
  '&': { color: 'var(--nw-text)', backgroundColor: 'transparent', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-text)', fontSize: 'var(--font-text-size)', lineHeight: '1.625' },
  '.cm-content': { maxWidth: '728px', margin: '0 auto', padding: '8px 24px 40vh', caretColor: 'var(--nw-accent-text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--nw-accent-text)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--nw-accent-soft)',
  },
  '@media (max-width: 860px)': { '.cm-content': { padding: '8px 16px 40vh' } },
})

const colours = HighlightStyle.define([
  { tag: tags.heading1, fontSize: '1.5em', fontWeight: '700' },
  { tag: tags.heading2, fontSize: '1.25em', fontWeight: '600' },
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'var(--font-monospace)', fontSize: '0.9em' },
  { tag: [tags.link, tags.url], color: 'var(--nw-accent-text)' },
  { tag: tags.quote, color: 'var(--nw-text-2)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta, tags.comment], color: 'var(--nw-text-3)' },
])

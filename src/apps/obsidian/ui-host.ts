import { type App, type HoverParent, Notice } from 'obsidian'
import { DrawnIcon, MarkdownView, type UiHost } from '../../ui/index.js'
import { failureOf } from './failure-of.js'

/** One preview at a time. */
const hoverParent: HoverParent = { hoverPopover: null }

/** What the panels ask of the place they are shown in. Text is drawn by our own renderer, which obeys none of it. */
export function uiHost(app: App): UiHost {
  return {
    Markdown: MarkdownView,
    Icon: DrawnIcon,
    openNote(target, { lines } = {}) {
      const state = lines && { eState: { line: lines[0] - 1 } }
      void app.workspace.openLinkText(target, '', false, state)
    },
    hoverNote(target, event) {
      const hovered = { event, source: 'notewright', hoverParent, targetEl: event.currentTarget }
      app.workspace.trigger('hover-link', { ...hovered, linktext: target, sourcePath: '' })
    },
    notify: (text) => void new Notice(text),
    failureOf,
  }
}

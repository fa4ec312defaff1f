import { type App, type HoverParent, loadMermaid, Notice } from 'obsidian'
import { type ComponentChild, options, render } from 'preact'
import { DrawnIcon, MarkdownView, svgAsXml, type UiHost, UiHostProvider } from '../../ui/index.js'
import { failureOf } from './failure-of.js'

// Preact would run effects in an animation frame of the main window. The pane may be in another window, and hidden
// windows have no frames and throttled timers.
const drawn = new MessageChannel()
let whatFollows = () => {}
drawn.port1.onmessage = () => whatFollows()
options.requestAnimationFrame = (callback) => {
  whatFollows = callback
  drawn.port2.postMessage(undefined)
}

/** Draws panels into an element of Obsidian's, again and again; null takes them out. */
export function drawPanel(element: HTMLElement, app: App, panel: ComponentChild): void {
  render(panel === null ? null : <UiHostProvider value={uiHost(app)}>{panel}</UiHostProvider>, element)
}

/** Obsidian's implementation of UiHost. Text is drawn by our own renderer, which runs nothing in it. */
function uiHost(app: App): UiHost {
  return {
    Markdown: MarkdownView,
    Icon: DrawnIcon,
    drawDiagram,
    openNote(target, { lines } = {}) {
      const state = lines && { eState: { line: lines[0] - 1 } }
      void app.workspace.openLinkText(target, '', false, state)
    },
    hoverNote(target, event) {
      const hovered = { event, source: 'notewright', hoverParent, targetEl: event.currentTarget }
      app.workspace.trigger('hover-link', { ...hovered, linktext: target, sourcePath: '' })
    },
    openSettings: () => openSettings(app),
    notify: (text) => void new Notice(text),
    failureOf,
  }
}

/** The app opens its settings for plugins too, but has not declared it. */
export function openSettings(app: App): void {
  const { setting } = app as { setting?: { open(): void; openTabById(id: string): void } }
  setting?.open()
  setting?.openTabById('notewright')
}

/** One preview at a time. */
const hoverParent: HoverParent = { hoverPopover: null }

let diagrams = 0

/** With the app's own copy of Mermaid, in the colours that the app has chosen for it. */
async function drawDiagram(text: string): Promise<string> {
  const mermaid = (await loadMermaid()) as { render(id: string, text: string): Promise<{ svg: string }> }
  const { svg } = await mermaid.render(`notewright-diagram-${++diagrams}`, text)
  return svgAsXml(svg)
}

import type { App } from 'obsidian'
import { type ComponentChild, options, render } from 'preact'
import { UiHostProvider } from '../../ui/index.js'
import { uiHost } from './ui-host.js'

// What is to be done after drawing would wait for a frame of the main window. A pane may be in another one, and a window
// out of sight has no frames and slow timers.
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

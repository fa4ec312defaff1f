import type { App } from 'obsidian'
import { type ComponentChild, render } from 'preact'
import { UiHostProvider } from '../../ui/index.js'
import { uiHost } from './ui-host.js'

/** Draws panels into an element of Obsidian's, again and again; null takes them out. */
export function drawPanel(element: HTMLElement, app: App, panel: ComponentChild): void {
  render(panel === null ? null : <UiHostProvider value={uiHost(app)}>{panel}</UiHostProvider>, element)
}

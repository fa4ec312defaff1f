import { SearchPanel } from '../../../ui/index.js'
import { drawPanel } from '../draw-panel.js'
import type { NotewrightPlugin } from '../plugin.js'

/** A search takes the time of whoever types: keys that come fast are taken together. */
const typingMs = 40

export function mountSearch(element: HTMLElement, plugin: NotewrightPlugin): void {
  drawPanel(
    element,
    plugin.app,
    <section aria-label="Search">
      <SearchPanel
        ask={async (wish) => (await plugin.opened()).vault.notebook.index.search(wish)}
        typingMs={typingMs}
      />
    </section>,
  )
}

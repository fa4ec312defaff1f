import type { ChatView } from '../chat-view.js'
import { drawPanel } from '../draw-panel.js'
import type { NotewrightPlugin } from '../plugin.js'
import { ChatPane } from './chat-pane.js'

/** Draws the conversation into its pane. Answers how to draw it again when the view has changed. */
export function mountChat(element: HTMLElement, view: ChatView, plugin: NotewrightPlugin): () => void {
  let proposals = 0
  let shown = view.proposal
  const draw = () => {
    if (shown !== view.proposal) proposals++
    shown = view.proposal
    drawPanel(
      element,
      view.app,
      <ChatPane
        key={plugin.openings}
        plugin={plugin}
        pane={element}
        session={view.session}
        proposal={shown && { ...shown, number: proposals }}
        onSession={(session) => view.show(session)}
      />,
    )
  }
  draw()
  return draw
}

import { render } from 'preact'
import type { FailureData } from '../../../src/core/errors.js'
import { DrawnIcon, MarkdownView, type UiHost, UiHostProvider } from '../../../src/ui/index.js'
import { stories } from './stories.js'

declare global {
  /** Notes that were opened, for tests to look at. */
  var opened: unknown[]
}
globalThis.opened = []

const host: UiHost = {
  Markdown: MarkdownView,
  Icon: DrawnIcon,
  openNote: (target, place) => globalThis.opened.push({ target, ...place }),
  notify: () => {},
  failureOf: (error) => (error as { failure?: FailureData }).failure ?? { code: 'internal', text: String(error) },
}

/** `?theme=dark&story=panel` shows the stories whose names begin so. */
const query = new URLSearchParams(location.search)
document.documentElement.className = `theme-${query.get('theme') ?? 'light'}`
const wanted = query.get('story') ?? ''

render(
  <UiHostProvider value={host}>
    <main class="nw">
      <h1>Stories</h1>
      {stories
        .filter(({ name }) => name.startsWith(wanted))
        .map(({ name, draw }) => (
          <section key={name} data-story={name} aria-label={name}>
            <h2>{name}</h2>
            {draw()}
          </section>
        ))}
    </main>
  </UiHostProvider>,
  document.body,
)

import { type ComponentChildren, render } from 'preact'
import { DrawnIcon, FailureBox, MarkdownView, UiHostProvider } from '../../../ui/index.js'
import { App } from './app.js'
import { failureOf, getJson, postJson, Refused } from './ask-server.js'
import { ChooseVault, type VaultsFound } from './choose-vault.js'
import type { Overview } from './overview.js'

followTheme()
await begin()

/** Comes in with the code of the link, if there is one, and shows the page. */
async function begin(): Promise<void> {
  try {
    const code = new URLSearchParams(location.hash.slice(1)).get('code')
    if (code !== null) {
      // It is good once: nobody else finds it in the history.
      history.replaceState(undefined, '', location.pathname)
      await postJson('enter', { code })
    }
    const answer = await getJson<Overview | { choose: VaultsFound }>('overview')
    if ('choose' in answer)
      render(
        <Hosted>
          <ChooseVault found={answer.choose} onOpened={open} />
        </Hosted>,
        document.body,
      )
    else open(answer)
  } catch (error) {
    render(<Outside error={error} />, document.body)
  }
}

function open(overview: Overview): void {
  document.title = `${overview.vault} – Notewright`
  render(<App overview={overview} />, document.body)
}

function Outside({ error }: { error: unknown }) {
  const isUnknown = error instanceof Refused && error.status === 401
  const failure = isUnknown
    ? {
        code: 'denied' as const,
        text: 'This browser has not been let in.',
        hint: 'Run notewright web in a terminal, and open the link that it prints.',
      }
    : failureOf(error)
  return (
    <Hosted>
      <main class="nw page-outside">
        <h1>Notewright</h1>
        <FailureBox failure={failure} title="Your notes are not shown" />
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </main>
    </Hosted>
  )
}

/** For what is drawn before there is anything to open. */
function Hosted({ children }: { children: ComponentChildren }) {
  const host = { Markdown: MarkdownView, Icon: DrawnIcon, openNote: () => {}, notify: () => {}, failureOf }
  return <UiHostProvider value={host}>{children}</UiHostProvider>
}

function followTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    document.documentElement.className = dark.matches ? 'theme-dark' : 'theme-light'
  }
  dark.addEventListener('change', apply)
  apply()
}

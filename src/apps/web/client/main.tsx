import { type ComponentChildren, render } from 'preact'
import { DrawnIcon, FailureBox, UiHostProvider } from '../../../ui/index.js'
import { App, Markdown } from './app.js'
import { failureOf, getJson, onSignedInElsewhere, onSignedOut, RefusedError, signIn } from './ask-server.js'
import { ChooseVault, type VaultsFound } from './choose-vault.js'
import type { Overview } from './overview.js'
import { followTheme } from './shell/theme.js'

followTheme()
let isOutside = false
onSignedOut(() => showOutside(undefined))
onSignedInElsewhere(() => isOutside && location.reload())
await begin()

/** Signs in with the code of the link, if there is one, and shows the page. */
async function begin(): Promise<void> {
  try {
    const code = new URLSearchParams(location.hash.slice(1)).get('code')
    // The code is valid once; it is removed from the history anyway.
    if (code !== null) history.replaceState(undefined, '', location.pathname)
    const refused = code === null ? undefined : await signIn(code).catch((error: unknown) => error)
    const answer = await getJson<Overview | { choose: VaultsFound }>('overview').catch((error: unknown) => {
      // An old link does no harm to a browser that is signed in.
      throw refused ?? error
    })
    if ('choose' in answer)
      render(
        <Hosted>
          <ChooseVault found={answer.choose} onOpened={open} />
        </Hosted>,
        document.body,
      )
    else open(answer)
  } catch (error) {
    showOutside(error)
  }
}

function showOutside(error: unknown): void {
  isOutside = true
  render(<Outside error={error} />, document.body)
}

function open(overview: Overview): void {
  render(<App overview={overview} />, document.body)
}

/** Instead of the notes: why they are not shown. Without an error, this browser isn't signed in. */
function Outside({ error }: { error: unknown }) {
  const isSignedOut = error === undefined || (error instanceof RefusedError && [401, 403].includes(error.status))
  const how =
    'Run notewright web in a terminal and open the link it prints. If it is already running, stop it first with Ctrl-C.'
  const failure =
    error === undefined || (error instanceof RefusedError && error.status === 401)
      ? { code: 'denied' as const, text: how }
      : failureOf(error)
  return (
    <Hosted>
      <main class="nw page-outside">
        <h1>Notewright</h1>
        <FailureBox
          failure={failure}
          title={isSignedOut ? "This browser isn't signed in" : 'Your notes cannot be shown'}
        />
        <button type="button" class="page-again" onClick={() => location.reload()}>
          Try again
        </button>
      </main>
    </Hosted>
  )
}

/** For components drawn before a vault is open. */
function Hosted({ children }: { children: ComponentChildren }) {
  const host = { Markdown, Icon: DrawnIcon, openNote: () => {}, notify: () => {}, failureOf }
  return <UiHostProvider value={host}>{children}</UiHostProvider>
}

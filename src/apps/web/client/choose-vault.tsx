import { useState } from 'preact/hooks'
import { visibleText } from '../../../core/text/index.js'
import { FailureBox } from '../../../ui/index.js'
import { failureOf, getJson, postJson } from './ask-server.js'
import type { Overview } from './overview.js'

/** Response of `/api/overview` without a vault. */
export interface VaultsFound {
  vaults: readonly { root: string; from: string }[]
  sample: string
}

const lookEveryMs = 200

/** Shown on the first start: choose the folder of your notes. */
export function ChooseVault({ found, onOpened }: { found: VaultsFound; onOpened(overview: Overview): void }) {
  const [path, setPath] = useState('')
  const [isOpening, setOpening] = useState(false)
  const [trouble, setTrouble] = useState<unknown>()

  async function choose(wish: { path: string } | { sample: true }): Promise<void> {
    setOpening(true)
    setTrouble(undefined)
    try {
      await postJson('vault', wish)
      onOpened(await overviewOnceOpen())
    } catch (error) {
      setTrouble(error)
      setOpening(false)
    }
  }
  const row = (root: string, about: string, wish: { path: string } | { sample: true }) => (
    <li key={root}>
      <button type="button" disabled={isOpening} onClick={() => void choose(wish)}>
        <strong>{visibleText(nameOf(root)).text}</strong>
        <small>{visibleText(`${about}: ${root}`).text}</small>
      </button>
    </li>
  )
  return (
    <main class="nw page-outside page-list">
      <h1>Where are your notes?</h1>
      <p>
        Choose any folder of Markdown files. Notewright asks before it changes a note and stores its index elsewhere.
        Your notes stay on this computer unless you choose a remote model.
      </p>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="It was not opened" />}
      <ul>
        {found.vaults.map(({ root, from }) =>
          row(root, from === 'Obsidian' ? 'known to Obsidian' : 'the folder you are in', { path: root }),
        )}
        {row(found.sample, 'the sample vault, to try things out; copied to', { sample: true })}
      </ul>
      <form
        class="nw-setting-row"
        onSubmit={(event) => {
          event.preventDefault()
          void choose({ path })
        }}
      >
        <input
          aria-label="Another folder"
          placeholder="another folder, e.g. ~/Notes"
          value={path}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
        <button type="submit" disabled={isOpening || path.trim() === ''}>
          Use this folder
        </button>
      </form>
      <p role="status" class="nw-remark">
        {isOpening ? 'Opening…' : 'The folder you choose is used from now on; Settings can change it.'}
      </p>
    </main>
  )
}

/** The server opens the vault while this page polls until it is ready. */
async function overviewOnceOpen(): Promise<Overview> {
  for (let tries = 0; ; tries++) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    const overview = await getJson<Overview & { choose?: unknown }>('overview').catch((error: unknown) => {
      if (tries > 100) throw error
      return undefined
    })
    if (overview !== undefined && overview.choose === undefined) return overview
  }
}

const nameOf = (root: string): string => root.split(/[/\\]/).filter(Boolean).pop() ?? root

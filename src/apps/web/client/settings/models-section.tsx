import { useState } from 'preact/hooks'
import { count, visibleText } from '../../../../core/text/index.js'
import { FailureBox, Fold } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { NamedSettings } from './named-settings.js'
import type { SectionProps } from './settings-pane.js'

/** A provider as `notewright models --json` tells it. */
interface ProviderRow {
  provider: string
  name: string
  configured: boolean
  address?: string
  key?: { source: string; where?: string }
  running?: boolean
  models?: string[]
  problem?: { text: string; hint?: string }
}

const named = {
  model: 'Model',
  mode: 'How questions are answered',
  instructions: 'Your words to every model',
}

/** Who answers: the model, and who serves models, with keys that go in and never come out. */
export function ModelsSection({ settings, save }: SectionProps) {
  const { answer, trouble, look } = useLoaded<{ providers: ProviderRow[] }>('providers')
  return (
    <>
      <h3>Models</h3>
      <NamedSettings settings={settings} save={save} names={named} />
      <h3>Providers</h3>
      <p class="nw-remark">
        Ollama and LM Studio run on your own machine and need no key. A key is kept by the server, in the keyring of
        this system or a private file, and is never shown again.
      </p>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {answer === undefined && trouble === undefined && <p class="nw-remark">Looking for models on this machine…</p>}
      {answer?.providers.map((row) => (
        <Provider key={row.provider} row={row} look={look} use={(model) => save('model', model)} />
      ))}
    </>
  )
}

interface ProviderProps {
  row: ProviderRow
  look(): Promise<void>
  use(model: string): Promise<string | undefined>
}

function Provider({ row, look, use }: ProviderProps) {
  const [tested, setTested] = useState<ProviderRow | undefined>()
  const [key, setKey] = useState('')
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { provider, name } = row
  const { models, problem } = tested ?? row

  async function act(what: () => Promise<string | undefined>): Promise<void> {
    setBusy(true)
    try {
      setSaid((await what()) ?? '')
    } catch (error) {
      const { text, hint } = failureOf(error)
      setSaid([text, hint].filter(Boolean).join(' '))
    } finally {
      setBusy(false)
    }
  }
  const test = async () => {
    const found = await postJson<ProviderRow>(`providers/${provider}/test`)
    setTested(found)
    return found.models ? `It answers, with ${count(found.models.length, 'model')}.` : 'Nobody answers there.'
  }
  const store = async () => {
    const { hiddenBy } = await postJson<{ hiddenBy?: string }>(`keys/${provider}`, { key })
    setKey('')
    await look()
    return `The key is stored.${hiddenBy ? ` As long as ${hiddenBy} is set, that one is used.` : ''}`
  }
  const remove = async () => {
    await postJson(`keys/${provider}/remove`)
    await look()
    return 'The key is removed.'
  }
  const keyForm = () => (
    <form
      class="nw-setting-row"
      onSubmit={(event) => {
        event.preventDefault()
        void act(store)
      }}
    >
      <input
        type="password"
        autocomplete="off"
        aria-label={`Key for ${name}`}
        placeholder={row.key ? 'a new key' : 'key'}
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <button type="submit" disabled={isBusy || key.trim() === ''}>
        Store the key
      </button>
      {row.key && row.key.source !== 'environment' && (
        <button type="button" class="nw-quiet" disabled={isBusy} onClick={() => void act(remove)}>
          Remove the key
        </button>
      )}
    </form>
  )
  return (
    <section class="page-provider" aria-label={name}>
      <h4>
        {name} <small>{visibleText(stateOf(row)).text}</small>
      </h4>
      {row.address && <p class="nw-remark">{visibleText(row.address).text}</p>}
      {hasNoAddress(row) && (
        <p class="nw-remark">
          Where it is, <code>NOTEWRIGHT_COMPATIBLE_URL</code> says, when notewright web is started.
        </p>
      )}
      {row.configured && row.key === undefined ? <Fold label={`Give ${name} a key`}>{keyForm}</Fold> : keyForm()}
      <div class="nw-buttons">
        <button type="button" disabled={isBusy || !row.configured} onClick={() => void act(test)}>
          Test {name.replace(/^The /, 'the ')}
        </button>
      </div>
      <p role="status" class="nw-remark">
        {visibleText(said).text}
      </p>
      {problem && <p class="nw-trouble">{visibleText([problem.text, problem.hint].filter(Boolean).join(' ')).text}</p>}
      {models !== undefined && models.length > 0 && (
        <Fold label={count(models.length, 'model')}>
          {() => (
            <ul class="page-models">
              {models.map((model) => (
                <li key={model}>
                  {visibleText(model).text}{' '}
                  <button type="button" class="nw-link" onClick={() => void act(() => use(model))}>
                    use
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Fold>
      )}
    </section>
  )
}

/** Only a server that nobody knows has none before somebody names it. */
const hasNoAddress = ({ address, problem }: ProviderRow): boolean => address === undefined && problem === undefined

function stateOf(row: ProviderRow): string {
  const { running, models, key, configured } = row
  if (hasNoAddress(row)) return 'no address yet'
  if (running) return `runs, ${count(models?.length ?? 0, 'model')}`
  if (running === false) return 'does not run'
  if (key?.source === 'environment') return `key from ${key.where}`
  if (key !== undefined) return key.source === 'keyring' ? 'key in the keyring' : 'key in a private file'
  return configured ? 'needs no key' : 'no key yet'
}

import { useState } from 'preact/hooks'
import { count, visibleText } from '../../../../core/text/index.js'
import {
  FailureBox,
  Fold,
  isLocalProvider,
  type ProviderAction,
  providerRow,
  providerWords,
  type ShownProvider,
  type ShownSetting,
  Skeleton,
} from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { initials, Row, RowSet } from './row.js'
import { SettingGroups } from './setting-groups.js'
import type { SectionProps } from './settings-pane.js'

/** Model and providers. Keys are write-only. */
export function ModelsSection({ settings, save }: SectionProps) {
  const { answer, trouble, look } = useLoaded<{ providers: ShownProvider[] }>('providers')
  const [tested, setTested] = useState<Record<string, readonly string[]>>({})
  const found = (answer?.providers ?? []).flatMap(({ provider, models = [] }) => tested[provider] ?? models)
  const rows = (isLocal: boolean) =>
    answer?.providers
      .filter((row) => isLocalProvider(row) === isLocal)
      .map((row) => (
        <Provider
          key={row.provider}
          provider={row}
          look={look}
          use={(model) => save('model', model)}
          onTested={(models) => setTested((known) => ({ ...known, [row.provider]: models }))}
        />
      ))
  return (
    <>
      <h3>Models</h3>
      <SettingGroups
        settings={settings.map((setting) => (setting.key === 'model' ? withModels(setting, found) : setting))}
        save={save}
        groups={['answers', 'chat']}
      />
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {answer === undefined && trouble === undefined && <Skeleton label="Looking for models on this computer" />}
      {answer && (
        <>
          <RowSet title={providerWords.local} about={providerWords.localAbout}>
            <div class="nw-rows">{rows(true)}</div>
          </RowSet>
          <RowSet
            title={providerWords.online}
            about={`${providerWords.onlineAbout} Keys are kept in the system keyring or a private file, and never shown again.`}
          >
            <div class="nw-rows">{rows(false)}</div>
          </RowSet>
        </>
      )}
    </>
  )
}

/** The model as a list of those that were found, if there are any. All settings has its field for any name. */
function withModels(setting: ShownSetting, found: readonly string[]): ShownSetting {
  if (found.length === 0) return setting
  const names = new Set(['offline', ...(typeof setting.value === 'string' ? [setting.value] : []), ...found])
  const options = [...names].map((value) => ({ value, label: value === 'offline' ? 'No model' : value }))
  return { ...setting, options, hint: 'New chats start with this model. Test a connection below to add its models.' }
}

interface ProviderProps {
  provider: ShownProvider
  look(): Promise<void>
  use(model: string): Promise<string | undefined>
  onTested(models: readonly string[]): void
}

function Provider({ provider, look, use, onTested }: ProviderProps) {
  const [tested, setTested] = useState<ShownProvider | undefined>()
  const [key, setKey] = useState<string | undefined>()
  const [said, setSaid] = useState('')
  const [isBusy, setBusy] = useState(false)
  const shown: ShownProvider = { ...provider, ...tested }
  const { provider: id, name, models } = shown

  async function run(what: () => Promise<string | undefined>): Promise<void> {
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
  async function test(): Promise<string> {
    const found = await postJson<ShownProvider>(`providers/${id}/test`)
    setTested(found)
    onTested(found.models ?? [])
    return found.models ? providerWords.connected(name, found.models.length) : providerWords.failed(name)
  }
  async function connect(): Promise<string> {
    const { hiddenBy } = await postJson<{ hiddenBy?: string }>(`keys/${id}`, { key })
    setKey(undefined)
    await look()
    const stored = hiddenBy
      ? `${providerWords.keyStored} While ${hiddenBy} is set, that key is used.`
      : providerWords.keyStored
    return `${stored} Test the connection to see its models.`
  }
  async function removeKey(): Promise<string> {
    await postJson(`keys/${id}/remove`)
    setTested(undefined)
    await look()
    return providerWords.keyRemoved
  }
  const actions: Record<ProviderAction, () => void> = {
    test: () => void run(test),
    key: () => setKey(key === undefined ? '' : undefined),
    'remove-key': () => void run(removeKey),
  }
  return (
    <Row
      row={providerRow(shown)}
      tile={initials(name.replace(/^The /, ''))}
      isBusy={isBusy}
      act={(action) => actions[action]()}
    >
      <div class="page-set-open">
        {shown.address === undefined && shown.problem === undefined && (
          <p class="nw-remark">
            Set <code>NOTEWRIGHT_COMPATIBLE_URL</code> to its address before you start notewright web.
          </p>
        )}
        {key !== undefined && (
          <form
            class="nw-setting-row"
            onSubmit={(event) => {
              event.preventDefault()
              void run(connect)
            }}
          >
            <input
              type="password"
              autocomplete="off"
              aria-label={`API key of ${name}`}
              placeholder={`Paste your ${name} key`}
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <button type="submit" class="nw-btn-main" disabled={isBusy || key.trim() === ''}>
              Connect
            </button>
            <button type="button" class="nw-btn-plain" onClick={() => setKey(undefined)}>
              Cancel
            </button>
          </form>
        )}
        <p role="status" class="nw-remark">
          {isBusy ? 'Waiting for an answer…' : visibleText(said).text}
        </p>
        {models !== undefined && models.length > 0 && (
          <Fold label={count(models.length, 'model')}>
            {() => (
              <ul class="page-models">
                {models.map((model) => (
                  <li key={model}>
                    <span class="nw-grow">{visibleText(model).text}</span>
                    <button
                      type="button"
                      class="nw-btn-small"
                      aria-label={`Use ${model}`}
                      onClick={() => void run(async () => (await use(model)) ?? providerWords.chosen(model))}
                    >
                      Use
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </Fold>
        )}
      </div>
    </Row>
  )
}

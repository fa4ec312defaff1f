import { useState } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import { FailureBox, useHost } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import type { SectionProps } from './settings-pane.js'

interface KeyRow {
  id: string
  name: string
  routes: string[]
  vaults: string[] | 'all'
  level: string
  trustsForms: boolean
  createdAt: string
  lastUsedAt?: string
}

interface Keys {
  vault: string
  levels: { name: string; about: string }[]
  keys: KeyRow[]
}

const routeNames: Record<string, string> = { api: 'API', mcp: 'MCP' }

/** The access keys of programs: permissions of each, with a button that revokes it, and a form for a new one. */
export function AccessKeysSection({ settings }: SectionProps) {
  const { notify } = useHost()
  const { answer, trouble, look } = useLoaded<Keys>('access-keys')
  const [refused, setRefused] = useState<unknown>()
  const [created, setCreated] = useState<{ name: string; secret: string } | undefined>()

  const levels = settings.find(({ key }) => key === 'consent')?.options
  const levelName = (level: string) => levels?.find(({ value }) => value === level)?.label ?? level

  async function revoke({ id, name }: KeyRow): Promise<void> {
    setRefused(undefined)
    try {
      await postJson(`access-keys/${encodeURIComponent(id)}/revoke`)
      setCreated((shown) => (shown?.name === name ? undefined : shown))
      notify(`Revoked: ${name}`)
    } catch (error) {
      setRefused(error)
    }
    await look()
  }
  return (
    <>
      <h3>Access keys</h3>
      <p class="nw-remark">
        Each program that uses <code>notewright serve</code> has an access key of its own. A key can't approve anything:
        changes that need approval wait for you.
      </p>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="Something went wrong" />}
      {answer?.keys.length === 0 && <p class="nw-remark">No access keys yet.</p>}
      <ul class="page-rows">
        {answer?.keys.map((key) => (
          <li key={key.id}>
            <span>
              <strong>{key.name}</strong> <small>{key.id}</small>
              <br />
              <small>{termsOf(key, levelName)}</small>
              <br />
              <small>
                created {time(key.createdAt)}, {key.lastUsedAt ? `last used ${time(key.lastUsedAt)}` : 'never used'}
              </small>
            </span>
            <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => void revoke(key)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
      {created && (
        <p role="status">
          Copy the access key of {created.name} now. It isn't shown again. Clients send it as their API key.{' '}
          <code class="page-link">{created.secret}</code>
        </p>
      )}
      {answer && (
        <NewKey
          {...answer}
          levelName={levelName}
          onCreated={async (made) => {
            setCreated(made)
            await look()
          }}
        />
      )}
    </>
  )
}

const blank = { name: '', routes: ['api', 'mcp'], allVaults: false, level: 'read-only' }

interface NewKeyProps extends Keys {
  levelName(level: string): string
  onCreated(made: { name: string; secret: string }): void
}

function NewKey({ vault, levels, levelName, onCreated }: NewKeyProps) {
  const [typed, setTyped] = useState(blank)
  const [trouble, setTrouble] = useState<unknown>()
  const type = (change: Partial<typeof blank>) => setTyped({ ...typed, ...change })

  async function create(): Promise<void> {
    setTrouble(undefined)
    try {
      const { key, secret } = await postJson<{ key: KeyRow; secret: string }>('access-keys', typed)
      setTyped(blank)
      onCreated({ name: key.name, secret })
    } catch (error) {
      setTrouble(error)
    }
  }
  return (
    <>
      <h3>Create an access key</h3>
      <form
        class="page-explain"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <label class="nw-field">
          Name of the program
          <input
            value={typed.name}
            placeholder="my-editor"
            onInput={(event) => type({ name: event.currentTarget.value })}
          />
        </label>
        <label class="nw-field">
          May use
          <select
            value={typed.routes.join()}
            onChange={(event) => type({ routes: event.currentTarget.value.split(',') })}
          >
            <option value="api,mcp">API and MCP</option>
            <option value="api">API</option>
            <option value="mcp">MCP</option>
          </select>
        </label>
        <label class="nw-field">
          Vaults
          <select
            value={typed.allVaults ? 'all' : 'this'}
            onChange={(event) => type({ allVaults: event.currentTarget.value === 'all' })}
          >
            <option value="this">{visibleText(vault).text}</option>
            <option value="all">All vaults</option>
          </select>
        </label>
        <label class="nw-field">
          Approval level
          <select value={typed.level} onChange={(event) => type({ level: event.currentTarget.value })}>
            {levels.map(({ name, about }) => (
              <option key={name} value={name}>
                {levelName(name)}: {about}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" disabled={typed.name.trim() === ''}>
          Create
        </button>
      </form>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="It was not created" />}
    </>
  )
}

function termsOf({ routes, vaults, level, trustsForms }: KeyRow, levelName: (level: string) => string): string {
  const where = vaults === 'all' ? 'all vaults' : vaults.map((name) => visibleText(name).text).join(', ')
  const forms = trustsForms ? ', forms trusted' : ''
  return `${routes.map((route) => routeNames[route] ?? route).join(' and ')}, ${where}, ${levelName(level)}${forms}`
}

const time = (text: string): string =>
  new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

interface BrowserRow {
  id: string
  name: string
  port: number
  createdAt: string
  lastUsedAt: string
  isThisBrowser: boolean
  isOnOtherPort: boolean
}

/** The browsers that are signed in, each with a button that signs it out. */
export function BrowsersSection() {
  const { notify } = useHost()
  const { answer, trouble, look } = useLoaded<{ browsers: BrowserRow[] }>('browsers')
  const [refused, setRefused] = useState<unknown>()
  const [link, setLink] = useState<string | undefined>()

  async function newLink(): Promise<void> {
    setRefused(undefined)
    try {
      setLink(location.origin + (await postJson<{ path: string }>('browsers')).path)
    } catch (error) {
      setRefused(error)
    }
  }
  async function revoke({ id, name }: BrowserRow): Promise<void> {
    setRefused(undefined)
    try {
      await postJson(`browsers/${encodeURIComponent(id)}/revoke`)
      notify(`Signed out: ${name}`)
    } catch (error) {
      setRefused(error)
    }
    await look()
  }
  return (
    <>
      <h3>Signed-in browsers</h3>
      <p class="nw-remark">
        These browsers can read your notes and answer approvals on this page. A browser that isn't used for 90 days is
        signed out.
      </p>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="Something went wrong" />}
      <ul class="page-rows">
        {answer?.browsers.map((browser) => (
          <li key={browser.id}>
            <span>
              <strong>{visibleText(browser.name).text}</strong>
              {browser.isThisBrowser && <small> this browser</small>}
              {browser.isOnOtherPort && <small> at 127.0.0.1:{browser.port}</small>}
              <br />
              <small>
                signed in {time(browser.createdAt)}, last used {time(browser.lastUsedAt)}
              </small>
            </span>
            <button
              type="button"
              aria-label={`Sign out ${browser.name}${browser.isThisBrowser ? ', this browser' : ''}`}
              onClick={() => void revoke(browser)}
            >
              Sign out
            </button>
          </li>
        ))}
      </ul>
      <p>
        <button type="button" onClick={() => void newLink()}>
          Sign in another browser
        </button>
      </p>
      {link !== undefined && (
        <p role="status">
          Open this link in the other browser within two minutes. It works once. <code class="page-link">{link}</code>
        </p>
      )}
    </>
  )
}

import { useState } from 'preact/hooks'
import { FailureBox } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'

interface Header {
  name: string
  value: string
}

const blank = { name: '', command: '', args: '', url: '', headers: [{ name: '', value: '' }] }

/** A program of this machine, or an address. What an address is sent goes to the server once and never comes back. */
export function AddServer({ look }: { look(): Promise<void> }) {
  const [isProgram, setProgram] = useState(true)
  const [typed, setTyped] = useState(blank)
  const [trouble, setTrouble] = useState<unknown>()
  const { name, command, args, url, headers } = typed
  const type = (change: Partial<typeof blank>) => setTyped({ ...typed, ...change })
  const isComplete = name.trim() !== '' && (isProgram ? command : url).trim() !== ''

  async function add(): Promise<void> {
    setTrouble(undefined)
    const how = isProgram
      ? { command, args: args.split('\n').filter((word) => word !== '') }
      : { url: url.trim(), headers: written(headers) }
    try {
      await postJson('mcp-servers', { name, ...how })
      setTyped(blank)
      await look()
    } catch (error) {
      setTrouble(error)
    }
  }
  return (
    <>
      <h3>Add a server</h3>
      <form
        class="page-explain"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <label class="nw-field">
          What it is
          <select
            value={isProgram ? 'program' : 'address'}
            onChange={(event) => setProgram(event.currentTarget.value === 'program')}
          >
            <option value="program">A program on this computer</option>
            <option value="address">An address</option>
          </select>
        </label>
        <label class="nw-field">
          Name
          <input
            value={name}
            placeholder={isProgram ? 'files' : 'wiki'}
            onInput={(event) => type({ name: event.currentTarget.value })}
          />
        </label>
        {isProgram ? (
          <>
            <label class="nw-field">
              Program
              <input
                value={command}
                placeholder="npx"
                onInput={(event) => type({ command: event.currentTarget.value })}
              />
            </label>
            <label class="nw-field">
              Its arguments, one in a line
              <textarea rows={3} value={args} onInput={(event) => type({ args: event.currentTarget.value })} />
            </label>
          </>
        ) : (
          <>
            <label class="nw-field">
              Address
              <input
                inputMode="url"
                value={url}
                placeholder="https://example.org/mcp"
                onInput={(event) => type({ url: event.currentTarget.value })}
              />
            </label>
            <Headers headers={headers} onChange={(changed) => type({ headers: changed })} />
          </>
        )}
        <button type="submit" disabled={!isComplete}>
          {isProgram ? 'Add it, without starting it' : 'Add it, without asking it anything'}
        </button>
      </form>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="It was not added" />}
    </>
  )
}

function Headers({ headers, onChange }: { headers: Header[]; onChange(headers: Header[]): void }) {
  const change = (at: number, edit: Partial<Header>) =>
    onChange(headers.map((header, place) => (place === at ? { ...header, ...edit } : header)))
  return (
    <fieldset class="page-headers">
      <legend>Headers it is sent</legend>
      <p class="nw-remark">
        For a key, if it wants one. Values are kept with your keys, go to this address alone, and are not shown again.
      </p>
      {headers.map((header, at) => (
        <div key={at} class="page-header-row">
          <label class="nw-field">
            Header
            <input
              value={header.name}
              placeholder="Authorization"
              onInput={(event) => change(at, { name: event.currentTarget.value })}
            />
          </label>
          <label class="nw-field">
            Value
            <input
              type="password"
              autoComplete="off"
              value={header.value}
              placeholder="Bearer …"
              onInput={(event) => change(at, { value: event.currentTarget.value })}
            />
          </label>
        </div>
      ))}
      <button type="button" class="nw-quiet" onClick={() => onChange([...headers, { name: '', value: '' }])}>
        Another header
      </button>
    </fieldset>
  )
}

const written = (headers: readonly Header[]): Header[] =>
  headers
    .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
    .filter(({ name, value }) => name !== '' || value !== '')

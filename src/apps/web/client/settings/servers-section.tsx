import { useState } from 'preact/hooks'
import type { ServerField, ServerForms, ServerKind, ShownServer } from '../../../../core/mcp/index.js'
import { count, visibleText } from '../../../../core/text/index.js'
import {
  FailureBox,
  type ServerAction,
  ServerToolView,
  type ServerToTrust,
  type ShownServerTool,
  serverFromForm,
  serverRow,
  serverWords,
  TrustBox,
} from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { initials, Row, RowSet } from './row.js'

interface Servers {
  servers: (ShownServer & { toolsOn: number })[]
  forms: ServerForms
}

/**
 * MCP servers. Nothing runs before the user has seen the command, and tools are enabled only after their full
 * description was shown.
 */
export function ServersSection() {
  const { answer, trouble, look } = useLoaded<Servers>('mcp-servers')
  return (
    <>
      <h3>{serverWords.heading}</h3>
      <p class="nw-remark">{serverWords.about}</p>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {answer?.servers.length === 0 && <p class="nw-remark">{serverWords.none}</p>}
      {answer && answer.servers.length > 0 && (
        <div class="nw-rows">
          {answer.servers.map((server) => (
            <Server key={`${server.from} ${server.name}`} server={server} forms={answer.forms} look={look} />
          ))}
        </div>
      )}
      <p class="nw-notice">{serverWords.programsRun}</p>
      {answer && <AddServer forms={answer.forms} look={look} />}
      <OtherPrograms />
    </>
  )
}

interface ProgramRow extends ServerToTrust {
  id: string
  approved: boolean
}

/** Codex and modules of own tools: shown while they need approval. */
function OtherPrograms() {
  const { answer, look } = useLoaded<{ programs: ProgramRow[] }>('programs')
  const [trouble, setTrouble] = useState<unknown>()
  const waiting = answer?.programs.filter(({ id, approved }) => !approved && !id.startsWith('mcp:')) ?? []
  const approve = ({ id, hash }: ProgramRow) => {
    setTrouble(undefined)
    postJson('programs/approve', { id, hash }).then(look, setTrouble)
  }
  if (waiting.length === 0) return null
  return (
    <RowSet title="Programs that need your approval">
      {waiting.map((program) => (
        <TrustBox
          key={program.id}
          asked={program}
          wants={`${program.id === 'codex' ? 'Codex' : visibleText(program.id.replace('tool:', 'Your tool ')).text} wants`}
          where="on this computer"
          onTrust={() => approve(program)}
        />
      ))}
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
    </RowSet>
  )
}

interface ServerProps {
  server: Servers['servers'][number]
  forms: ServerForms
  look(): Promise<void>
}

function Server({ server, forms, look }: ServerProps) {
  const { name, from } = server
  const [tools, setTools] = useState<ShownServerTool[] | undefined>()
  const [toTrust, setToTrust] = useState<ServerToTrust | undefined>()
  const [said, setSaid] = useState('')
  const [trouble, setTrouble] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const path = `mcp-servers/${encodeURIComponent(name)}`

  async function act(what: () => Promise<string>): Promise<void> {
    setBusy(true)
    setTrouble(undefined)
    try {
      setSaid(await what())
    } catch (error) {
      setSaid('')
      setTrouble(error)
    } finally {
      setBusy(false)
    }
  }
  const actions: Record<ServerAction, () => Promise<string>> = {
    async review() {
      setToTrust(await postJson<ServerToTrust>(`${path}/trust`))
      return ''
    },
    async tools() {
      const found = await postJson<{ tools: ShownServerTool[] }>(`${path}/tools`)
      setTools(found.tools)
      return count(found.tools.length, 'tool')
    },
    async test() {
      const { server: who, protocol, ms } = await postJson<Tested>(`${path}/test`)
      return `Connected to ${who.name} ${who.version} in ${ms} ms (protocol ${protocol}).`
    },
    async remove() {
      await postJson(`${path}/remove`)
      await look()
      return ''
    },
  }
  const trust = async (hash: string) => {
    await postJson(`${path}/trust`, { hash })
    setToTrust(undefined)
    await look()
    return 'Approved. It needs your approval again if its command changes.'
  }
  const switchTool = async ({ name: tool, hash }: ShownServerTool, isOn: boolean) => {
    await postJson(`${path}/${isOn ? 'enable' : 'disable'}`, { tools: [isOn ? { name: tool, hash } : tool] })
    await actions.tools()
    await look()
    return `${tool} is ${isOn ? 'on. It turns off if its description changes' : 'off'}.`
  }
  const row = serverRow(server, { forms, toolsOn: server.toolsOn, startsPrograms: true })
  return (
    <Row row={row} tile={initials(name)} isBusy={isBusy} act={(action) => void act(actions[action])}>
      <div class="page-set-open">
        {toTrust && (
          <TrustBox
            asked={toTrust}
            {...(from === 'settings' && { wants: 'Your settings want', where: 'on this computer' })}
            onTrust={() => void act(() => trust(toTrust.hash))}
          />
        )}
        <p role="status" class="nw-remark">
          {isBusy ? 'Waiting for the server…' : visibleText(said).text}
        </p>
        {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
        {tools?.map((tool) => (
          <ServerToolView key={tool.name} tool={tool} onSwitch={(isOn) => void act(() => switchTool(tool, isOn))} />
        ))}
      </div>
    </Row>
  )
}

interface Tested {
  server: { name: string; version: string }
  protocol: string
  ms: number
}

/** The form for a new server, drawn from the schema. Secret values are sent to the server once and never returned. */
function AddServer({ forms, look }: { forms: ServerForms; look(): Promise<void> }) {
  const [kind, setKind] = useState<ServerKind>('program')
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [trouble, setTrouble] = useState<unknown>()
  const [toApprove, setToApprove] = useState<ServerToTrust | undefined>()
  const fields = [serverWords.name, ...forms[kind]]
  const isComplete = fields.every(({ key, isRequired }) => !isRequired || typed[key]?.trim())

  /** A program is added after its full command was approved, by the hash of the shown command. */
  async function add(hash?: string): Promise<void> {
    setTrouble(undefined)
    setToApprove(undefined)
    try {
      const answer = await postJson<{ toApprove?: ServerToTrust }>('mcp-servers', {
        ...serverFromForm(fields, typed),
        ...(hash && { hash }),
      })
      if (answer.toApprove !== undefined) return setToApprove(answer.toApprove)
      setTyped({})
      await look()
    } catch (error) {
      setTrouble(error)
    }
  }
  return (
    <RowSet title={serverWords.add}>
      <form
        class="page-explain"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <label class="nw-field">
          Type
          <select
            value={kind}
            onChange={(event) => {
              setToApprove(undefined)
              setKind(event.currentTarget.value as ServerKind)
            }}
          >
            {(['program', 'address'] as const).map((one) => (
              <option key={one} value={one}>
                {serverWords.kinds[one].label}
              </option>
            ))}
          </select>
        </label>
        {fields.map((field) => (
          <FormField
            key={field.key}
            field={field}
            text={typed[field.key] ?? ''}
            onText={(text) => {
              setToApprove(undefined)
              setTyped({ ...typed, [field.key]: text })
            }}
          />
        ))}
        <button type="submit" disabled={!isComplete}>
          {kind === 'program' ? 'Review and add…' : serverWords.kinds.address.add}
        </button>
      </form>
      {toApprove && (
        <TrustBox
          asked={toApprove}
          wants="This server wants"
          where="on this computer"
          onTrust={() => void add(toApprove.hash)}
        />
      )}
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The server was not added" />}
    </RowSet>
  )
}

function FormField({ field, text, onText }: { field: ServerField; text: string; onText(text: string): void }) {
  const { key, label, hint, takes, placeholder } = field
  const id = `server-${key}`
  if (takes === 'pairs') return <Pairs field={field} text={text} onText={onText} />
  const input = {
    id,
    value: text,
    placeholder,
    'aria-describedby': `${id}-about`,
    onInput: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
  }
  return (
    <div class="nw-field">
      <label for={id}>{label}</label>
      {takes === 'list' && <textarea {...input} rows={3} />}
      {takes === 'number' && <input {...input} type="number" />}
      {(takes === 'text' || takes === 'yes-no') && <input {...input} />}
      <small id={`${id}-about`}>{hint}</small>
    </div>
  )
}

/** Names with values. A row that is not complete yet is kept in the form. */
function Pairs({ field, text, onText }: { field: ServerField; text: string; onText(text: string): void }) {
  const { label, hint, placeholder = '', isSecret } = field
  const [exampleName, exampleValue] = placeholder.split('=')
  const rows = (text === '' ? '=' : text).split('\n').map((line) => {
    const at = line.indexOf('=')
    return { name: line.slice(0, at), value: line.slice(at + 1) }
  })
  const write = (changed: typeof rows) => onText(changed.map(({ name, value }) => `${name}=${value}`).join('\n'))
  const change = (at: number, edit: Partial<(typeof rows)[number]>) =>
    write(rows.map((row, place) => (place === at ? { ...row, ...edit } : row)))
  const valueId = (at: number) => `server-${field.key}-${at}`
  const valueInput = ({ value }: (typeof rows)[number], at: number) => ({
    id: valueId(at),
    autoComplete: 'off',
    value,
    placeholder: exampleValue,
    onInput: (event: { currentTarget: { value: string } }) => change(at, { value: event.currentTarget.value }),
  })
  return (
    <fieldset class="page-headers">
      <legend>{label}</legend>
      <p class="nw-remark">{hint}</p>
      {rows.map((row, at) => (
        <div key={at} class="page-header-row">
          <label class="nw-field">
            {`Name ${at + 1}`}
            <input
              value={row.name}
              placeholder={exampleName}
              onInput={(event) => change(at, { name: event.currentTarget.value.replace(/[=\n]/g, '') })}
            />
          </label>
          <div class="nw-field">
            <label for={valueId(at)}>{`Value ${at + 1}`}</label>
            {isSecret ? <input {...valueInput(row, at)} type="password" /> : <input {...valueInput(row, at)} />}
          </div>
        </div>
      ))}
      <button type="button" class="nw-btn-plain nw-btn-small" onClick={() => write([...rows, { name: '', value: '' }])}>
        Add another
      </button>
    </fieldset>
  )
}

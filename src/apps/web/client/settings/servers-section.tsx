import { useState } from 'preact/hooks'
import { count, visibleText } from '../../../../core/text/index.js'
import { FailureBox, ServerToolView, type ServerToTrust, type ShownServerTool, TrustBox } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { AddServer } from './add-server.js'

interface ServerRow {
  name: string
  from: 'settings' | 'vault'
  state: 'on' | 'off' | 'untrusted' | 'hidden'
  type: 'stdio' | 'http'
  command?: string
  args?: string[]
  env?: string[]
  url?: string
  headers?: string[]
}

const stateWords = {
  on: 'can be started',
  off: 'switched off',
  untrusted: 'named by this vault, and not trusted: nothing of it has been started',
  hidden: 'not used: your settings have one of this name',
}

/** Other people's tools. Nothing runs before the person has seen what would, and no tool is on before they read it whole. */
export function ServersSection() {
  const { answer, trouble, look } = useLoaded<{ servers: ServerRow[] }>('mcp-servers')
  return (
    <>
      <h3>MCP servers</h3>
      <p class="nw-remark">
        Programs and addresses that bring tools of their own. A program runs as you, and can read and change whatever
        you can. Their tools are off until you have read what each says of itself, and off again when a letter of that
        changes.
      </p>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {answer?.servers.length === 0 && <p class="nw-remark">There are none yet. Add one below.</p>}
      {answer?.servers.map((server) => (
        <Server key={`${server.from} ${server.name}`} server={server} look={look} />
      ))}
      <AddServer look={look} />
    </>
  )
}

function Server({ server, look }: { server: ServerRow; look(): Promise<void> }) {
  const { name, from, state } = server
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
  const readTools = async () => {
    const found = await postJson<{ tools: ShownServerTool[] }>(`${path}/tools`)
    setTools(found.tools)
    return count(found.tools.length, 'tool')
  }
  const test = async () => {
    const { server: who, protocol, ms } = await postJson<Tested>(`${path}/test`)
    return `It answers: ${who.name} ${who.version}, protocol ${protocol}, in ${ms} ms.`
  }
  const remove = async () => {
    await postJson(`${path}/remove`)
    await look()
    return ''
  }
  const askTrust = async () => {
    setToTrust(await postJson<ServerToTrust>(`${path}/trust`))
    return ''
  }
  const trust = async (hash: string) => {
    await postJson(`${path}/trust`, { hash })
    setToTrust(undefined)
    await look()
    return 'It can be started in this vault, until its entry changes.'
  }
  const switchTool = async ({ name: tool, hash }: ShownServerTool, isOn: boolean) => {
    await postJson(`${path}/${isOn ? 'enable' : 'disable'}`, { tools: [isOn ? { name: tool, hash } : tool] })
    await readTools()
    return `${tool} is ${isOn ? 'on. If it changes, it is off until you have looked at it again' : 'off'}.`
  }
  return (
    <section class="page-server" aria-label={name}>
      <h4>
        {visibleText(name).text}{' '}
        <small>{state === 'on' && server.type === 'http' ? 'can be asked' : stateWords[state]}</small>
      </h4>
      <p>
        <code>{visibleText(wordsOf(server)).text}</code>
      </p>
      {server.env && server.env.length > 0 && (
        <p class="nw-remark">It is given the variables {visibleText(server.env.join(', ')).text}.</p>
      )}
      {server.headers && server.headers.length > 0 && (
        <p class="nw-remark">Headers it is sent: {visibleText(server.headers.join(', ')).text}</p>
      )}
      <div class="nw-buttons">
        {state === 'untrusted' ? (
          <button type="button" disabled={isBusy} onClick={() => void act(askTrust)}>
            See what it would run…
          </button>
        ) : (
          <>
            <button type="button" disabled={isBusy || state === 'hidden'} onClick={() => void act(readTools)}>
              {server.type === 'http' ? 'Look at its tools' : 'Start it and look at its tools'}
            </button>
            <button type="button" disabled={isBusy || state === 'hidden'} onClick={() => void act(test)}>
              Test
            </button>
          </>
        )}
        {from === 'settings' && (
          <button type="button" class="nw-quiet" disabled={isBusy} onClick={() => void act(remove)}>
            Remove {visibleText(name).text}
          </button>
        )}
      </div>
      {toTrust && <TrustBox asked={toTrust} onTrust={() => void act(() => trust(toTrust.hash))} />}
      <p role="status" class="nw-remark">
        {isBusy ? 'Waiting for the server…' : visibleText(said).text}
      </p>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {tools?.map((tool) => (
        <ServerToolView key={tool.name} tool={tool} onSwitch={(isOn) => void act(() => switchTool(tool, isOn))} />
      ))}
    </section>
  )
}

interface Tested {
  server: { name: string; version: string }
  protocol: string
  ms: number
}

/** Each word as it is passed on: where one ends and the next begins can be seen. */
function wordsOf({ command, args = [], url }: ServerRow): string {
  if (command === undefined) return url ?? ''
  return [command, ...args].map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')
}

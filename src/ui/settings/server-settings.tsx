import { visibleBlanks, visibleJson, visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'

/** The command or address of a server, with everything passed to it. */
export interface ServerToTrust {
  argv: readonly string[]
  given: readonly (readonly [string, string])[]
  /** The folder a program runs in. */
  cwd?: string
  /** Hash of this exact entry. */
  hash: string
}

/** A program, a server at an address, an address that gets a key, or settings that loosen or redirect something. */
type ToTrust = 'program' | 'address' | 'key' | 'settings'

interface TrustBoxProps {
  asked: Pick<ServerToTrust, 'argv' | 'given' | 'cwd'>
  /** A program by default; otherwise the one word is where it is. */
  kind?: ToTrust
  /** Origin of the request; the vault by default. */
  wants?: string
  /** Scope of the trust; this vault by default. */
  where?: string
  onTrust: () => void
}

const words: Record<ToTrust, { question: string; to: string; means: string; yes: string }> = {
  program: {
    question: 'Trust this server?',
    to: 'to run this command, one part per line:',
    means: 'It runs as you, and can read and change whatever you can.',
    yes: 'Trust it',
  },
  address: {
    question: 'Trust this server?',
    to: 'to reach:',
    means: 'The arguments of its tools are sent there.',
    yes: 'Trust it',
  },
  key: {
    question: 'Send your key there?',
    to: 'to be sent to:',
    means: 'This server receives your key and your questions, and can use the key as you can.',
    yes: 'Send it',
  },
  settings: {
    question: 'Use these settings?',
    to: 'to change:',
    means: 'Until you approve them, the earlier settings of this device apply.',
    yes: 'Use them',
  },
}

/** Shows the complete entry before the user can trust it. */
export function TrustBox({ asked: { argv, given, cwd }, kind = 'program', wants, where, onTrust }: TrustBoxProps) {
  const { question, to, means, yes } = words[kind]
  return (
    <div class="nw-panel nw-trust" role="group" aria-label={question}>
      <p>
        {wants ?? 'This vault wants'} {to}
      </p>
      <ol class="nw-trusted-words">
        {argv.map((word, at) => (
          <li key={at}>
            <code>{visibleText(word).text}</code>
          </li>
        ))}
      </ol>
      {cwd !== undefined && (
        <p>
          in the folder <code>{visibleText(cwd).text}</code>
        </p>
      )}
      {given.map(([name, value]) => (
        <p key={name}>
          with <code>{visibleText(`${name}=${value}`).text}</code>
        </p>
      ))}
      <p>{means}</p>
      <div class="nw-buttons">
        <button type="button" onClick={onTrust}>
          {yes} {where ?? 'in this vault'}
        </button>
      </div>
    </div>
  )
}

/** A tool as its server describes it. */
interface ServerToolText {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema?: unknown
  outputSchema?: unknown
  annotations?: unknown
}

export interface ShownServerTool extends ServerToolText {
  title: string
  /** The title it gave itself. */
  ownTitle?: string
  hash: string
  state: 'seen' | 'new' | 'changed'
  enabled: boolean
  before?: ServerToolText
}

const stateWords = {
  new: 'New. Read its description before you turn it on.',
  changed: 'Changed since you turned it on, so it is off. Read its description again.',
}

/** A tool's full description, shown before the user agrees to it. If it has changed, both versions. */
export function ServerToolView({ tool, onSwitch }: { tool: ShownServerTool; onSwitch?: (isOn: boolean) => void }) {
  const { name, title, state, enabled, before } = tool
  const words = state === 'seen' ? (enabled ? 'On' : 'Off') : stateWords[state]
  const is = linesOf({ ...tool, title: tool.ownTitle })
  const was = before && linesOf(before)
  return (
    <div role="group" class="nw-server-tool" aria-label={name}>
      <div class="nw-row-line">
        <span class="nw-grow">
          <b>{visibleText(name).text}</b> <span class="nw-facts-line">{visibleText(title).text}</span>
        </span>
        {onSwitch && (
          <input
            type="checkbox"
            role="switch"
            aria-label={`Use ${name}`}
            aria-checked={enabled}
            checked={enabled}
            onChange={(event) => onSwitch(event.currentTarget.checked)}
          />
        )}
      </div>
      <p class={state === 'changed' ? 'nw-trouble' : 'nw-remark'}>{words}</p>
      <Fold label="Full description" open={state !== 'seen'}>
        {() => (
          <div role="group" class="nw-scroll nw-source" tabIndex={0} aria-label={`Description of ${name}`}>
            {was
              ?.filter((line) => !is.includes(line))
              .map((line, at) => (
                <del key={at}>{`- ${line}\n`}</del>
              ))}
            {is.map((line, at) =>
              was === undefined || was.includes(line) ? (
                <span key={at}>{`${line}\n`}</span>
              ) : (
                <ins key={at}>{`+ ${line}\n`}</ins>
              ),
            )}
          </div>
        )}
      </Fold>
    </div>
  )
}

function linesOf({ title, description = '', inputSchema, outputSchema, annotations }: ServerToolText): string[] {
  const rest = { title, inputSchema, outputSchema, annotations }
  return [
    ...visibleBlanks(visibleText(description).text).split('\n'),
    ...visibleJson(JSON.stringify(rest, null, 2)).split('\n'),
  ]
}

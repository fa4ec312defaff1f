import { visibleBlanks, visibleJson, visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'

/** A tool as its server describes it. */
export interface ServerToolText {
  name: string
  title?: string
  description?: string
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
  new: 'new: nobody has looked at it yet',
  changed: 'changed since you looked at it, and off until you agree again',
}

/** The whole of what is said, with nothing hidden, before anyone can agree to it. Where it has changed, both ways. */
export function ServerToolView({ tool, onSwitch }: { tool: ShownServerTool; onSwitch?: (isOn: boolean) => void }) {
  const { name, title, state, enabled, before } = tool
  const words = state === 'seen' ? (enabled ? 'on' : 'off') : stateWords[state]
  const is = linesOf({ ...tool, title: tool.ownTitle })
  const was = before && linesOf(before)
  return (
    <div role="group" class="nw-server-tool" aria-label={name}>
      <p>
        <strong>{visibleText(name).text}</strong> <small>{visibleText(title).text}</small>
      </p>
      <p class={state === 'changed' ? 'nw-trouble' : 'nw-remark'}>{words}</p>
      <Fold label="All that it says of itself" open={state !== 'seen'}>
        {() => (
          <div role="group" class="nw-scroll nw-source" tabIndex={0} aria-label={`What ${name} says of itself`}>
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
      {onSwitch && (
        <button type="button" onClick={() => onSwitch(!enabled)}>
          Switch {enabled ? 'off' : 'on'} {visibleText(name).text}
        </button>
      )}
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

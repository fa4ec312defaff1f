import type { ComponentChildren } from 'preact'
import type { ApprovalRequest } from '../../core/approval/index.js'
import { impactLines, wordGroups } from '../../core/session/index.js'
import { bytes, count, visibleJson, visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

const shown = (text: string): string => visibleText(text).text

/** Everything a person must know before saying yes, complete: what is long scrolls, nothing is cut. */
export function RequestFacts({ request }: { request: ApprovalRequest }) {
  const { tool, reasons, notices, hidden, sends, loads, words, impact } = request
  return (
    <>
      {reasons.map((reason, at) => (
        <p class="nw-reason" key={at}>
          {shown(reason)}
        </p>
      ))}
      {tool.source !== 'built-in' && <Warning>From {shown(tool.source)}</Warning>}
      {notices.map(({ text }, at) => (
        <Warning key={at}>{shown(text)}</Warning>
      ))}
      {hidden && <Warning>{count(hidden, 'character')} of this cannot be seen; shown as ⟦U+…⟧.</Warning>}
      {sends.map(({ url, payload, bytes: size }, at) => (
        <div class="nw-sends" key={at}>
          <p>
            <strong>Sends</strong> {bytes(size)} to
          </p>
          <Scrolled label="Address">{shown(url)}</Scrolled>
          {payload && <Scrolled label="What is sent">{shown(payload)}</Scrolled>}
        </div>
      ))}
      {loads.map(({ path, url, how }, at) => (
        <Warning key={at}>
          Would load {shown(url)} ({shown(how)} in {shown(path)})
        </Warning>
      ))}
      {wordGroups(words).map(({ whose, isTyped, words: own }) => (
        <p class={isTyped ? 'nw-reason' : 'nw-warning'} key={whose}>
          {shown(whose)}: {shown(own.join(', '))}
        </p>
      ))}
      {impact &&
        impactLines(impact).map(({ warning, text }, at) =>
          warning === undefined ? (
            <p key={at}>{shown(text)}</p>
          ) : (
            <Warning key={at}>
              {warning === '!' ? '' : `${warning}: `}
              {shown(text)}
            </Warning>
          ),
        )}
    </>
  )
}

/** The arguments, for a call that neither changes notes nor sends or picks something: all there is to see of it. */
export function PlainArguments({ input }: { input: unknown }) {
  if (typeof input !== 'object' || input === null) return null
  return (
    <dl class="nw-arguments">
      {Object.entries(input).map(([name, value]) => (
        <div key={name}>
          <dt>{shown(name)}</dt>
          <dd>
            <Scrolled label={name}>
              {typeof value === 'string' ? shown(value) : visibleJson(JSON.stringify(value, null, 1))}
            </Scrolled>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Warning({ children }: { children: ComponentChildren }) {
  const { Icon } = useHost()
  return (
    <p class="nw-warning">
      <Icon name="warning" /> <span>{children}</span>
    </p>
  )
}

export function Scrolled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div role="group" class="nw-scroll nw-source" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

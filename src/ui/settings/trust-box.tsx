import { visibleText } from '../../core/text/index.js'

/** What a server of the vault would run, with everything it is given. */
export interface ServerToTrust {
  argv: readonly string[]
  given: readonly (readonly [string, string])[]
  /** Of this very entry. */
  hash: string
}

/** All of it is shown, word by word, before anyone can say yes. */
export function TrustBox({ asked: { argv, given }, onTrust }: { asked: ServerToTrust; onTrust: () => void }) {
  return (
    <div class="nw-panel" role="group" aria-label="Trust this server?">
      <p>This vault wants to run, word by word:</p>
      <ol class="nw-trusted-words">
        {argv.map((word, at) => (
          <li key={at}>
            <code>{visibleText(word).text}</code>
          </li>
        ))}
      </ol>
      {given.map(([name, value]) => (
        <p key={name}>
          with <code>{visibleText(`${name}=${value}`).text}</code>
        </p>
      ))}
      <p>It runs as you, and can read and change whatever you can.</p>
      <div class="nw-buttons">
        <button type="button" onClick={onTrust}>
          Trust it in this vault
        </button>
      </div>
    </div>
  )
}

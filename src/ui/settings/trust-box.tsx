import { visibleText } from '../../core/text/index.js'

/** What a server of the vault would run, with everything it is given. */
export interface ServerToTrust {
  argv: readonly string[]
  given: readonly (readonly [string, string])[]
  /** Of this very entry. */
  hash: string
}

interface TrustBoxProps {
  asked: ServerToTrust
  /** It is no program: the one word is where it is. */
  isAddress?: boolean
  /** Who wants it; the vault unless told. */
  wants?: string
  /** What a yes is good for; this vault unless told. */
  where?: string
  onTrust: () => void
}

/** All of it is shown, word by word, before anyone can say yes. */
export function TrustBox({ asked: { argv, given }, isAddress, wants, where, onTrust }: TrustBoxProps) {
  const who = wants ?? 'This vault wants'
  return (
    <div class="nw-panel nw-trust" role="group" aria-label="Trust this server?">
      <p>{isAddress ? `${who} to reach:` : `${who} to run, word by word:`}</p>
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
      <p>
        {isAddress
          ? 'What its tools are called with is sent there.'
          : 'It runs as you, and can read and change whatever you can.'}
      </p>
      <div class="nw-buttons">
        <button type="button" onClick={onTrust}>
          Trust it {where ?? 'in this vault'}
        </button>
      </div>
    </div>
  )
}

import { visibleText } from '../../core/text/index.js'

/** What a server of the vault would run, with everything it is given. */
export interface ServerToTrust {
  argv: readonly string[]
  given: readonly (readonly [string, string])[]
  /** Of this very entry. */
  hash: string
}

/** A program, a server at an address, or an address that gets a key. */
type ToTrust = 'program' | 'address' | 'key'

interface TrustBoxProps {
  asked: Pick<ServerToTrust, 'argv' | 'given'>
  /** A program unless told; otherwise the one word is where it is. */
  kind?: ToTrust
  /** Who wants it; the vault unless told. */
  wants?: string
  /** What a yes is good for; this vault unless told. */
  where?: string
  onTrust: () => void
}

const words: Record<ToTrust, { question: string; to: string; means: string; yes: string }> = {
  program: {
    question: 'Trust this server?',
    to: 'to run, word by word:',
    means: 'It runs as you, and can read and change whatever you can.',
    yes: 'Trust it',
  },
  address: {
    question: 'Trust this server?',
    to: 'to reach:',
    means: 'What its tools are called with is sent there.',
    yes: 'Trust it',
  },
  key: {
    question: 'Send your key there?',
    to: 'to be sent to:',
    means: 'Whoever is there receives the key and all that you ask, and can use the key as you can.',
    yes: 'Send it there',
  },
}

/** All of it is shown, word by word, before anyone can say yes. */
export function TrustBox({ asked: { argv, given }, kind = 'program', wants, where, onTrust }: TrustBoxProps) {
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

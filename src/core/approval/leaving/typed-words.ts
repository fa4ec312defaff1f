/** What the person typed in a conversation: what leaves it is held against this. */
export interface TypedWords {
  hear(text: string): void
  /** Whether the person typed this address, whole. */
  hasAddress(url: string): boolean
  hasWord(word: string): boolean
  /** The words and signs of a text that the person did not type, or did not type as often. */
  missing(text: string): string[]
  /** To be kept with a session that will be resumed. */
  texts(): string[]
}

export function typedWords(before: readonly string[] = []): TypedWords {
  const texts = [...before]
  /** Made when something is about to leave, which is seldom, and again once more was typed. */
  let known: { words: Map<string, TypedWord>; addresses: Set<string>; of: number } | undefined

  function looked() {
    if (known?.of !== texts.length) {
      known = { words: countWords(texts), addresses: new Set(texts.flatMap(addressesIn)), of: texts.length }
    }
    return known
  }

  return {
    hear(text) {
      if (text !== '') texts.push(text)
    },
    hasAddress(url) {
      const wanted = webUrl(url)
      return wanted !== undefined && looked().addresses.has(withoutScheme(wanted))
    },
    hasWord: (word) => looked().words.has(fold(word)),
    missing(text) {
      const { words } = looked()
      const used = new Map<string, number>()
      return wordsAndSigns(text).filter((word) => {
        const key = fold(word)
        const typed = words.get(key)
        const count = (used.get(key) ?? 0) + 1
        used.set(key, count)
        // More often than typed, or in letters neither typed nor usual, a word could spell something out.
        return typed === undefined || count > typed.count || !isUsualSpelling(word, typed)
      })
    },
    texts: () => [...texts],
  }
}

interface TypedWord {
  count: number
  spellings: Set<string>
}

/** Runs of letters and digits, and every other character by itself. One blank between them says nothing. */
export function wordsAndSigns(text: string): string[] {
  const found = text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]/gu) ?? []
  return found.filter((each, at) => each !== ' ' || found[at - 1] === ' ')
}

export const fold = (text: string): string => text.normalize('NFC').toLowerCase()

function countWords(texts: readonly string[]): Map<string, TypedWord> {
  const words = new Map<string, TypedWord>()
  for (const text of texts) {
    const decoded = percentDecoded(text)
    for (const word of wordsAndSigns(text)) add(word)
    // A word that only stands there percent-encoded, as in a pasted address, was typed once more.
    if (decoded !== text) for (const word of wordsAndSigns(decoded)) if (!words.has(fold(word))) add(word)
  }
  return words

  function add(word: string): void {
    const known = words.get(fold(word))
    if (known === undefined) words.set(fold(word), { count: 1, spellings: new Set([word]) })
    else {
      known.count++
      known.spellings.add(word)
    }
  }
}

function isUsualSpelling(word: string, { spellings }: TypedWord): boolean {
  const plain = fold(word)
  return spellings.has(word) || word === plain || word === capitalised(plain)
}

function capitalised(word: string): string {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('')
}

/** Every address in a text that was typed, in the few ways that one and the same address is written. */
function addressesIn(text: string): string[] {
  const found: string[] = []
  for (const piece of text.normalize('NFC').split(/[\s<>"'`“”„«»]+/)) {
    const inside = /https?:\/\/.*/i.exec(piece)?.[0] ?? (namesHost.test(piece) ? `https://${piece}` : undefined)
    // A sentence or a bracket that closes behind an address is not part of it, unless it is.
    for (let rest = inside; rest !== undefined; rest = /[.,;:!?)\]}*_…]$/.test(rest) ? rest.slice(0, -1) : undefined) {
      const url = webUrl(rest)
      if (url !== undefined) found.push(...spellingsOf(url))
    }
  }
  return found
}

const namesHost = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#.,;:!)].*)?$/u

function spellingsOf(url: URL): string[] {
  const { search } = url
  const whole = withoutScheme(url)
  const path = whole.slice(0, whole.length - search.length)
  return [whole, path + search.replaceAll('+', '%20'), path + search.replaceAll('%20', '+')]
}

const withoutScheme = ({ href }: URL): string => href.replace(/^https?:/, '')

/** As a request would spell it; what stands behind `#` is never sent. */
function webUrl(text: string): URL | undefined {
  const address = text.startsWith('//') ? `https:${text}` : text
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  url.hash = ''
  return url
}

/** What can be read of a percent-encoded text; `+` is how a form writes a blank. */
export function percentDecoded(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}

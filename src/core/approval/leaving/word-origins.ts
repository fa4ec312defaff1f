import { Failure } from '../../errors.js'
import type { ReadableVault } from '../../tools/index.js'
import type { NotePath } from '../../vault/index.js'
import { fold, percentDecoded, type TypedWords } from './typed-words.js'
import type { Leaving } from './what-leaves.js'

/** A word that would leave, and where it stands: in what the person typed, in a note that was read, or in neither. */
export interface WordOrigin {
  word: string
  from: 'person' | 'note' | 'unknown'
  /** With `note`: those that hold it, the one read last first. */
  notes?: HoldingNote[]
}

interface HoldingNote {
  path: string
  /** How the note's words are hidden in the word. */
  as?: 'reversed' | 'base64' | 'hex'
}

const mostWords = 200
const mostNotes = 100
const mostNamed = 5

/** Made for a person to look at, when something asks: never to decide by. */
export async function wordOrigins(
  leaving: readonly Leaving[],
  typed: TypedWords,
  read: readonly NotePath[],
  vault: Pick<ReadableVault, 'read'>,
): Promise<WordOrigin[]> {
  const words = new Set(leaving.flatMap(wordsOf))
  const notes = await textsOf(read.slice(-mostNotes), vault)
  return [...words].slice(0, mostWords).map((word): WordOrigin => {
    if (typed.hasWord(word) || leaving.some(({ address }) => isIn(word, address) && typed.hasAddress(address!))) {
      return { word, from: 'person' }
    }
    const spelled = [...readings(word)]
    const holding = notes.flatMap((note): HoldingNote[] => {
      const found = spelled.find(({ text }) => holds(note, text))
      return found ? [{ path: note.path, ...(found.as && { as: found.as }) }] : []
    })
    return holding.length > 0 ? { word, from: 'note', notes: holding.slice(0, mostNamed) } : { word, from: 'unknown' }
  })
}

/** Of an address without its scheme, which nobody chooses much by. */
function wordsOf({ address = '', words = '' }: Leaving): string[] {
  const text = `${percentDecoded(address.replace(/^\w+:\/\//, ''))} ${words}`
  // Base64 uses signs too, so what looks like it stays in one piece.
  return text.match(/[A-Za-z0-9+/_-]{8,}={1,2}|[\p{L}\p{M}\p{N}]+/gu) ?? []
}

const isIn = (word: string, address: string | undefined): boolean =>
  address !== undefined && percentDecoded(address).includes(word)

interface NoteText {
  path: NotePath
  /** Folded. */
  text: string
  words: ReadonlySet<string>
}

async function textsOf(paths: readonly NotePath[], vault: Pick<ReadableVault, 'read'>): Promise<NoteText[]> {
  const texts: NoteText[] = []
  for (const path of [...paths].reverse()) {
    const text = fold(`${path}\n${await textAt(path, vault)}`)
    texts.push({ path, text, words: new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) })
  }
  return texts
}

async function textAt(path: NotePath, vault: Pick<ReadableVault, 'read'>): Promise<string> {
  try {
    return (await vault.read(path))?.text ?? ''
  } catch (error) {
    if (error instanceof Failure) return ''
    throw error
  }
}

/** A word, or the part of one that a call of several carries. */
function holds({ text, words }: NoteText, wanted: string): boolean {
  const word = fold(wanted)
  return words.has(word) || (word.length >= 4 && text.includes(word))
}

function* readings(word: string): Generator<{ as?: HoldingNote['as']; text: string }> {
  yield { text: word }
  yield { as: 'reversed', text: [...word].reverse().join('') }
  const hidden = [
    ['hex', /^(?:[0-9a-f]{2}){3,}$/i.test(word) ? hexDecoded(word) : ''],
    ['base64', /^[A-Za-z0-9+/_-]{4,}=*$/.test(word) ? base64Decoded(word) : ''],
  ] as const
  for (const [as, text] of hidden) {
    // The first or last word may have been cut, so the longest one speaks for all.
    const [longest = ''] = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort((one, other) => other.length - one.length)
    if (longest.length >= 3) yield { as, text: longest }
  }
}

function hexDecoded(word: string): string {
  return utf8(Uint8Array.from(word.match(/../g)!, (pair) => Number.parseInt(pair, 16)))
}

function base64Decoded(word: string): string {
  try {
    const binary = atob(word.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
    return utf8(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

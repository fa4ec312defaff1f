/** UTF-16 counts only with its byte order mark; `invalid` is everything else that is not UTF-8. */
export type NoteEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'invalid'

export interface DecodedNote {
  text: string
  encoding: NoteEncoding
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Bytes to text, noticing what is neither UTF-8 nor UTF-16 as some editors and shells write it. A byte order mark stays
 * in the text, so that text and bytes agree.
 */
export function decodeNote(bytes: Uint8Array): DecodedNote {
  const encoding = markedEncoding(bytes)
  try {
    const decoder = encoding === 'utf-8' ? strict : new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes), encoding }
  } catch {
    return { text: new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes), encoding: 'invalid' }
  }
}

function markedEncoding(bytes: Uint8Array): Exclude<NoteEncoding, 'invalid'> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}

export interface DecodedNote {
  text: string
  encoding: 'utf-8' | 'invalid'
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes to text, noticing what is not UTF-8. A byte order mark stays in the text, so that text and bytes agree. */
export function decodeNote(bytes: Uint8Array): DecodedNote {
  try {
    return { text: strict.decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: lenient.decode(bytes), encoding: 'invalid' }
  }
}

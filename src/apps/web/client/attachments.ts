import { bytes, count } from '../../../core/text/index.js'
import type { Attachment, Given } from '../../../ui/index.js'

/** What goes along with the next question. */
export type Attached = Attachment & ({ text: string } | { base64: string })

/** Reads what was dropped in or pasted. */
export async function readGiven(given: Given, before: number): Promise<Attached[]> {
  if ('text' in given) {
    const { text } = given
    return [{ name: `Pasted text ${before + 1}`, about: count(text.split('\n').length, 'line'), text }]
  }
  return Promise.all([...given.files].map(readFile))
}

/** Texts go as they are; what else it is, the server finds out from its bytes. */
async function readFile(file: File): Promise<Attached> {
  const { name, size } = file
  const about = bytes(size)
  if (/^text\//.test(file.type) || /\.(?:md|txt|csv|json|canvas)$/i.test(name))
    return { name, about, text: await file.text() }
  return { name, about, base64: encoded(new Uint8Array(await file.arrayBuffer())) }
}

function encoded(all: Uint8Array): string {
  let text = ''
  for (let at = 0; at < all.length; at += 8192) text += String.fromCharCode(...all.subarray(at, at + 8192))
  return btoa(text)
}

/** As the server takes them. */
export function asRequest(attached: readonly Attached[]) {
  const texts = attached.flatMap((one) => ('text' in one ? [{ name: one.name, text: one.text }] : []))
  const files = attached.flatMap((one) => ('base64' in one ? [{ name: one.name, base64: one.base64 }] : []))
  return { ...(texts.length > 0 && { attached: texts }), ...(files.length > 0 && { files }) }
}

import { base64, looksSent } from '../../files/index.js'
import type { NoteFile, NotePath, Vault } from '../../vault/index.js'

/** Shorter lines stand in too many notes to say anything. */
const leastLine = 16

/**
 * The notes whose text is in the body of a request, of those that have come into the conversation. A note that is gone
 * counts by its name: nobody can look any more.
 */
export async function notesSent(
  body: string,
  candidates: Iterable<NotePath>,
  vault: Pick<Vault, 'read'>,
): Promise<NotePath[]> {
  const sent: NotePath[] = []
  for (const path of candidates) {
    if (!body.includes(inJson(path)) && !body.includes(inJson(path.replace(/\.md$/i, '')))) continue
    const note = await vault.read(path).catch(() => undefined)
    if (note === undefined || isIn(body, note)) sent.push(path)
  }
  return sent
}

/** A picture or a PDF is sent as it is, everything else as text. */
const isIn = (body: string, { path, text, bytes }: NoteFile): boolean =>
  looksSent(path) ? body.includes(base64(bytes)) : hasTextOf(body, text)

function hasTextOf(body: string, text: string): boolean {
  const lines = text.split('\n').map((line) => line.trim())
  const telling = lines.filter(({ length }) => length >= leastLine)
  const wanted = telling.length > 0 ? telling : lines.filter((line) => line !== '')
  return wanted.some((line) => body.includes(inJson(line)))
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

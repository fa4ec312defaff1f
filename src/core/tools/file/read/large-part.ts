import type { FilePart, NotePath } from '../../../vault/index.js'
import type { ReadableVault } from '../../tool-context.js'
import { noSuchPart } from './note-parts.js'

const mostBytes = 20_000
/** Bytes of a token, where they are many for their bytes. */
const tokenBytes = 2.5
/** So far from a part's border a line's end is looked for. */
const reachBytes = 4096

export interface LargePart {
  bytes: Uint8Array
  from: number
  size: number
  part: number
  parts: number
}

/**
 * One part of a file that is too large to be read at once. Borders lie at line ends where there is one nearby, else
 * between characters, and depend on the bytes around them alone: the parts of a file fit together without reading it.
 */
export async function largePart(
  path: NotePath,
  part: number,
  vault: ReadableVault,
  room = Number.POSITIVE_INFINITY,
): Promise<LargePart | undefined> {
  const partBytes = Math.max(1, Math.min(mostBytes, Math.floor(room * tokenBytes)))
  const start = (part - 1) * partBytes
  const from = Math.max(0, start - 1)
  const stretch = await vault.readPart(path, { from, bytes: partBytes + reachBytes + 8 })
  if (stretch === undefined) return undefined
  const parts = Math.max(1, Math.ceil(stretch.size / partBytes))
  if (part > parts) throw noSuchPart(path, part, parts)
  const first = border(stretch, start)
  const end = border(stretch, start + partBytes)
  const bytes = stretch.bytes.subarray(first - stretch.from, end - stretch.from)
  return { bytes, from: first, size: stretch.size, part, parts }
}

function border({ bytes, from, size }: FilePart, wanted: number): number {
  if (wanted <= 0) return 0
  if (wanted >= size) return size
  const lineFeed = bytes.subarray(0, wanted - from + reachBytes).indexOf(10, wanted - from - 1)
  if (lineFeed >= 0) return from + lineFeed + 1
  let at = wanted - from
  while (at < bytes.length && at < wanted - from + 3 && (bytes[at] & 0xc0) === 0x80) at++
  return from + at
}

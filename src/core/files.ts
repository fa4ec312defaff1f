// Pictures, PDFs and texts that a user attaches: their limits, and how each is detected by content.

import { Failure } from './errors.js'
import { bytes as size } from './text/index.js'
import { decodeRules, hashBytes } from './vault/index.js'

/** A file that the user attaches: dropped on a page, or named at the terminal. */
export interface AttachedFile {
  name: string
  bytes: Uint8Array
}

interface ReadFiles {
  texts: { name: string; text: string }[]
  /** Pictures and PDFs. */
  seen: { name: string; facts: FileFacts; bytes: Uint8Array }[]
}

/** Maximum bytes of attached texts: about 60,000 words, which fit into most context windows. */
export const maxAttachedTextBytes = 400_000

/** Maximum bytes of all attachments of one request. */
export const maxAttachedBytes = 20_000_000

/** Sorts attachments by their bytes into texts, pictures and PDFs. Fails with the first that cannot be attached. */
export function readAttachedFiles(files: readonly AttachedFile[]): ReadFiles {
  const read: ReadFiles = { texts: [], seen: [] }
  let textSize = 0
  let allSize = 0
  for (const { name, bytes } of files) {
    if (bytes.length === 0) throw new Failure('invalid-input', `${name} is empty.`)
    allSize += bytes.length
    const facts = fileFacts(name, bytes)
    if (allSize > maxAttachedBytes) throw tooLarge(name, allSize, maxAttachedBytes, 'Attach fewer or smaller files.')
    if (facts !== undefined) {
      read.seen.push({ name, facts, bytes })
      continue
    }
    textSize += bytes.length
    if (textSize > maxAttachedTextBytes) {
      const hint = 'Attach only the relevant part, or save it as a note and ask about the note.'
      throw tooLarge(name, textSize, maxAttachedTextBytes, hint)
    }
    const text = decodeRules(bytes)
    if (text === undefined) {
      throw new Failure('not-utf8', `${name} can't be attached: it is neither text nor ${acceptedKinds}.`)
    }
    read.texts.push({ name, text })
  }
  return read
}

function tooLarge(name: string, together: number, most: number, hint: string): Failure {
  const what = most === maxAttachedTextBytes ? 'attached texts' : 'attached files'
  return new Failure(
    'too-large',
    `${name} can't be attached: the ${what} would be ${size(together)}, and the limit is ${size(most)} in total.`,
    { hint },
  )
}

/** Bytes as base64, for requests to a model. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += pieceLength) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceLength))))
  }
  return parts.join('')
}

/** Divisible by three, so that the pieces can be joined. */
const pieceLength = 24_576

/** Kinds of files that models accept besides text. */
export const fileKinds = ['image', 'pdf'] as const
export type FileKind = (typeof fileKinds)[number]

/** A picture or PDF as stored in a conversation, without its bytes. Plain data. */
export interface FileFacts {
  kind: FileKind
  mediaType: string
  size: number
  /** sha256 of the bytes, lower-case hex. */
  hash: string
  width?: number | undefined
  height?: number | undefined
  /** Number of pages of a PDF, if it is known. */
  pages?: number | undefined
  /** Estimated tokens in the context window. */
  tokens: number
}

/** The largest files any provider accepts; models have lower limits of their own. */
export const maxFileBytes: Record<FileKind, number> = { image: 20_000_000, pdf: 20_000_000 }

/** Detects a picture or PDF by its bytes; undefined for anything else. Fails if it is damaged or too large. */
export function fileFacts(name: string, bytes: Uint8Array): FileFacts | undefined {
  const kind = kindOf(bytes)
  if (kind === undefined) return undefined
  const most = maxFileBytes[kind]
  if (bytes.length > most) {
    const what = kind === 'image' ? 'a picture' : 'a PDF'
    throw new Failure(
      'too-large',
      `${name} is too large: it is ${size(bytes.length)}, and the limit for ${what} is ${size(most)}.`,
      {
        hint: kind === 'image' ? 'Make the picture smaller.' : 'Attach only the relevant pages.',
      },
    )
  }
  const hash = hashBytes(bytes)
  if (kind === 'pdf') {
    const pages = pagesOf(bytes)
    if (pages === undefined) throw damaged(name, 'PDF')
    const tokens = Math.max(pages, Math.ceil(bytes.length / bytesOfPage)) * tokensOfPage
    return { kind, mediaType: 'application/pdf', size: bytes.length, hash, ...(pages > 0 && { pages }), tokens }
  }
  const format = pictureFormats.find(({ begins }) => begins(bytes))!
  const dimensions = format.measure(bytes)
  if (dimensions === undefined) throw damaged(name, `${format.name} picture`)
  return {
    kind,
    mediaType: format.mediaType,
    size: bytes.length,
    hash,
    ...dimensions,
    tokens: pictureTokens(dimensions),
  }
}

/** `PNG picture, 800 × 600`, `PDF, 12 pages`. */
export function describeFile({ kind, mediaType, width, height, pages }: FileFacts): string {
  if (kind === 'pdf') return pages === undefined ? 'PDF' : `PDF, ${pages} ${pages === 1 ? 'page' : 'pages'}`
  const format = pictureFormats.find((one) => one.mediaType === mediaType)
  return `${format?.name ?? ''} picture, ${width} × ${height}`.trim()
}

function kindOf(bytes: Uint8Array): FileKind | undefined {
  if (pictureFormats.some(({ begins }) => begins(bytes))) return 'image'
  return pdfMark.every((byte, at) => bytes[at] === byte) ? 'pdf' : undefined
}

/** `%PDF-` */
const pdfMark = [0x25, 0x50, 0x44, 0x46, 0x2d]

function damaged(name: string, what: string): Failure {
  return new Failure('invalid-input', `${name} is a damaged or incomplete ${what}.`, {
    hint: 'Open it in another program and save it again.',
  })
}

/** A page is sent as its text and as a picture. Without a page count, the size of a PDF is used. */
const tokensOfPage = 2000
const bytesOfPage = 200_000

/** Providers scale large pictures down first, and count about one token per 750 pixels. */
function pictureTokens({ width, height }: PictureSize): number {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return Math.max(leastPicture, Math.min(mostPicture, Math.ceil((width * scale * height * scale) / 750)))
}

const longestSide = 1568
const leastPicture = 100
const mostPicture = 1600

interface PictureSize {
  width: number
  height: number
}

interface PictureFormat {
  name: string
  /** The ending of its names, for a regular expression. */
  ending: string
  mediaType: string
  begins: (bytes: Uint8Array) => boolean
  /** Its size in pixels; undefined if the file is damaged or truncated. */
  measure(bytes: Uint8Array): PictureSize | undefined
}

/** The picture formats that models accept, detected by their bytes. */
const pictureFormats: readonly PictureFormat[] = [
  {
    name: 'PNG',
    ending: 'png',
    mediaType: 'image/png',
    begins: (bytes) => hasText(bytes, 0, '\x89PNG\r\n\x1a\n'),
    measure: measurePng,
  },
  {
    name: 'JPEG',
    ending: 'jpe?g',
    mediaType: 'image/jpeg',
    begins: (bytes) => hasText(bytes, 0, '\xff\xd8\xff'),
    measure: measureJpeg,
  },
  {
    name: 'WebP',
    ending: 'webp',
    mediaType: 'image/webp',
    begins: (bytes) => hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP'),
    measure: measureWebp,
  },
  {
    name: 'GIF',
    ending: 'gif',
    mediaType: 'image/gif',
    begins: (bytes) => hasText(bytes, 0, 'GIF8'),
    measure: measureGif,
  },
]

/** `a picture (PNG, JPEG, …) or a PDF` */
export const acceptedKinds = `a picture (${pictureFormats.map(({ name }) => name).join(', ')}) or a PDF`

/** The endings of names of pictures and PDFs, for a regular expression. */
export const pictureOrPdfEndings = [...pictureFormats.map(({ ending }) => ending), 'pdf'].join('|')

const pictureOrPdfName = new RegExp(`\\.(?:${pictureOrPdfEndings})$`, 'i')

/** True if the file name looks like a picture or PDF. The bytes decide. */
export const hasPictureOrPdfName = (name: string): boolean => pictureOrPdfName.test(name)

const hasText = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0))

const dataView = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const pictureSize = (width: number, height: number): PictureSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

/** Walks the chunks to the last one, each of which has its length. */
function measurePng(bytes: Uint8Array): PictureSize | undefined {
  if (bytes.length < 33 || !hasText(bytes, 12, 'IHDR')) return undefined
  const data = dataView(bytes)
  for (let at = 8; at + 12 <= bytes.length; at += 12 + data.getUint32(at)) {
    if (hasText(bytes, at + 4, 'IEND')) return pictureSize(data.getUint32(16), data.getUint32(20))
  }
  return undefined
}

/** Walks the segments to the one with the size. The end marker must be there too, or the picture is truncated. */
function measureJpeg(bytes: Uint8Array): PictureSize | undefined {
  if (!endsWithin(bytes, [0xff, 0xd9])) return undefined
  const data = dataView(bytes)
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at++
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (isFrame(marker)) return pictureSize(data.getUint16(at + 7), data.getUint16(at + 5))
    else at += 2 + data.getUint16(at + 2)
  }
  return undefined
}

/** Markers C0 to CF begin a frame, except for tables and arithmetic coding. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Searches for the end marker: cameras write more data after it. */
function endsWithin(bytes: Uint8Array, mark: readonly [number, number]): boolean {
  for (let at = bytes.length - 2; at >= 0; at--) if (bytes[at] === mark[0] && bytes[at + 1] === mark[1]) return true
  return false
}

function measureGif(bytes: Uint8Array): PictureSize | undefined {
  if (bytes.length < 14 || !(hasText(bytes, 4, '7a') || hasText(bytes, 4, '9a'))) return undefined
  let last = bytes.length - 1
  while (last > 0 && bytes[last] === 0) last--
  const data = dataView(bytes)
  return bytes[last] === 0x3b ? pictureSize(data.getUint16(6, true), data.getUint16(8, true)) : undefined
}

function measureWebp(bytes: Uint8Array): PictureSize | undefined {
  const data = dataView(bytes)
  if (bytes.length < 30 || data.getUint32(4, true) + 8 > bytes.length) return undefined
  if (hasText(bytes, 12, 'VP8X')) return pictureSize(1 + threeBytes(bytes, 24), 1 + threeBytes(bytes, 27))
  if (hasText(bytes, 12, 'VP8L')) {
    const packed = data.getUint32(21, true)
    return pictureSize(1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff))
  }
  if (!hasText(bytes, 12, 'VP8 ')) return undefined
  return pictureSize(data.getUint16(26, true) & 0x3fff, data.getUint16(28, true) & 0x3fff)
}

const threeBytes = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)

/** The number of pages of a PDF; 0 if it is compressed. Undefined if the end of the file is missing. */
function pagesOf(bytes: Uint8Array): number | undefined {
  // Latin-1 maps every byte to one character, and the keywords of the format are ASCII.
  const text = new TextDecoder('latin1').decode(bytes)
  if (!text.slice(-2048).includes('%%EOF')) return undefined
  const counts = [...text.matchAll(/\/Type\s{0,4}\/Pages\b[^>]{0,400}?\/Count\s{1,4}(\d{1,6})/g)]
  const singles = text.match(/\/Type\s{0,4}\/Page\b/g)?.length ?? 0
  return Math.max(singles, ...counts.map(([, count]) => Number(count)))
}

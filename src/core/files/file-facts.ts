import { Failure } from '../errors.js'
import { bytes as size } from '../text/index.js'
import { hashBytes } from '../vault/index.js'
import { pagesOf } from './pdf.js'
import { type PictureSize, pictureFormats } from './picture-formats.js'

/** What models look at besides text. */
export type FileKind = 'image' | 'pdf'

/** A picture or PDF as a conversation knows it; its bytes are elsewhere. Plain data. */
export interface FileFacts {
  kind: FileKind
  mediaType: string
  size: number
  /** sha256 of the bytes, lower-case hex. */
  hash: string
  width?: number
  height?: number
  /** Of a PDF, as far as it tells. */
  pages?: number
  /** About what it takes of a model's window. */
  tokens: number
}

/** More than this no provider takes; models have limits of their own below. */
export const mostBytes: Record<FileKind, number> = { image: 20_000_000, pdf: 20_000_000 }

export const takenKinds = 'a picture (PNG, JPEG, WebP, GIF) or a PDF'

/** Whether a name says that a model would look at it; what it is, its bytes say. */
export const looksSent = (name: string): boolean => /\.(?:png|jpe?g|webp|gif|pdf)$/i.test(name)

/** What a file is by its bytes; undefined where it is neither a picture nor a PDF. Damaged or too large is a failure. */
export function fileFacts(name: string, bytes: Uint8Array): FileFacts | undefined {
  const kind = kindOf(bytes)
  if (kind === undefined) return undefined
  const most = mostBytes[kind]
  if (bytes.length > most) {
    const what = kind === 'image' ? 'a picture' : 'a PDF'
    throw new Failure('too-large', `${name} has ${size(bytes.length)}; ${what} may have ${size(most)}.`, {
      hint: kind === 'image' ? 'Save it smaller.' : 'Send the pages it is about.',
    })
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
export function fileWords({ kind, mediaType, width, height, pages }: FileFacts): string {
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
    hint: 'Open it in another program and save it anew.',
  })
}

/** A page is sent as its text and as a picture. A PDF that does not tell its pages is judged by its bytes. */
const tokensOfPage = 2000
const bytesOfPage = 200_000

/** Providers make large pictures smaller first, and count about a token for 750 dots. */
function pictureTokens({ width, height }: PictureSize): number {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return Math.max(leastPicture, Math.min(mostPicture, Math.ceil((width * scale * height * scale) / 750)))
}

const longestSide = 1568
const leastPicture = 100
const mostPicture = 1600

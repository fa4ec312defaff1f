export interface PictureSize {
  width: number
  height: number
}

interface PictureFormat {
  name: string
  mediaType: string
  begins: (bytes: Uint8Array) => boolean
  /** Its dots; undefined where the file is damaged or cut. */
  measure(bytes: Uint8Array): PictureSize | undefined
}

/** The pictures that models take. What a file is, its bytes say and not its name. */
export const pictureFormats: readonly PictureFormat[] = [
  { name: 'PNG', mediaType: 'image/png', begins: (bytes) => has(bytes, 0, '\x89PNG\r\n\x1a\n'), measure: measurePng },
  {
    name: 'JPEG',
    mediaType: 'image/jpeg',
    begins: (bytes) => has(bytes, 0, '\xff\xd8\xff'),
    measure: measureJpeg,
  },
  { name: 'GIF', mediaType: 'image/gif', begins: (bytes) => has(bytes, 0, 'GIF8'), measure: measureGif },
  {
    name: 'WebP',
    mediaType: 'image/webp',
    begins: (bytes) => has(bytes, 0, 'RIFF') && has(bytes, 8, 'WEBP'),
    measure: measureWebp,
  },
]

const has = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0))

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const dots = (width: number, height: number): PictureSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

/** A row of chunks, each with its length, up to the one that ends it. */
function measurePng(bytes: Uint8Array): PictureSize | undefined {
  if (bytes.length < 33 || !has(bytes, 12, 'IHDR')) return undefined
  const data = view(bytes)
  for (let at = 8; at + 12 <= bytes.length; at += 12 + data.getUint32(at)) {
    if (has(bytes, at + 4, 'IEND')) return dots(data.getUint32(16), data.getUint32(20))
  }
  return undefined
}

/** Segments up to the one that has the size. It must end too, or the lower part of the picture is missing. */
function measureJpeg(bytes: Uint8Array): PictureSize | undefined {
  if (!endsWithin(bytes, [0xff, 0xd9])) return undefined
  const data = view(bytes)
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]
    if (marker === 0xff) at++
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (isFrame(marker)) return dots(data.getUint16(at + 7), data.getUint16(at + 5))
    else at += 2 + data.getUint16(at + 2)
  }
  return undefined
}

/** C0 to CF begin a frame, but for tables and arithmetic coding. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** Cameras write more behind the picture's end. */
function endsWithin(bytes: Uint8Array, mark: readonly [number, number]): boolean {
  for (let at = bytes.length - 2; at >= 0; at--) if (bytes[at] === mark[0] && bytes[at + 1] === mark[1]) return true
  return false
}

function measureGif(bytes: Uint8Array): PictureSize | undefined {
  if (bytes.length < 14 || !(has(bytes, 4, '7a') || has(bytes, 4, '9a'))) return undefined
  let last = bytes.length - 1
  while (last > 0 && bytes[last] === 0) last--
  const data = view(bytes)
  return bytes[last] === 0x3b ? dots(data.getUint16(6, true), data.getUint16(8, true)) : undefined
}

function measureWebp(bytes: Uint8Array): PictureSize | undefined {
  const data = view(bytes)
  if (bytes.length < 30 || data.getUint32(4, true) + 8 > bytes.length) return undefined
  if (has(bytes, 12, 'VP8X')) return dots(1 + threeBytes(bytes, 24), 1 + threeBytes(bytes, 27))
  if (has(bytes, 12, 'VP8L')) {
    const packed = data.getUint32(21, true)
    return dots(1 + (packed & 0x3fff), 1 + ((packed >>> 14) & 0x3fff))
  }
  if (!has(bytes, 12, 'VP8 ')) return undefined
  return dots(data.getUint16(26, true) & 0x3fff, data.getUint16(28, true) & 0x3fff)
}

const threeBytes = (bytes: Uint8Array, at: number): number => bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)

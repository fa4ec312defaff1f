/** Decodes bytes by the encoding that the BOM, the content type or the page itself names; UTF-8 otherwise. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const label =
    byteOrderMark(bytes) ?? /charset\s*=\s*"?\s*([\w:.-]+)/i.exec(contentType)?.[1] ?? named(bytes, contentType)
  return decoderFor(label).decode(bytes)
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return undefined
}

/** As in browsers, only the first kilobyte is searched, and a page that claims UTF-16 in ASCII is UTF-8. */
function named(bytes: Uint8Array, contentType: string): string | undefined {
  if (contentType !== '' && !/html|xml/i.test(contentType)) return undefined
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  const label =
    /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1]
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderFor(label: string | undefined) {
  try {
    return new TextDecoder(label)
  } catch {
    // An unknown encoding is read as UTF-8.
    return new TextDecoder()
  }
}

import { decodedAddress } from '../../tools/index.js'

/** Whether an address leads away from this machine. `C:\` is a drive, and what is written into a `data:` address is there. */
export function isRemote(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]+:|[\\/]{2})/i.test(address) && !local.test(address)
}

const local = /^(?:data|blob|app|about|mailto|tel|obsidian|javascript|vbscript):/i

/** A destination as a viewer reads it, when it leads elsewhere: character references, escapes and stray blanks undone. */
export function readAddress(written: string): string | undefined {
  const decoded = plain(decodedAddress(written))
  return [decoded, decoded.replace(/\\(?=[!-/:-@[-`{-~])/g, '')].find(isRemote)
}

/** Browsers pass over line breaks and tabs in an address, and blanks before it. */
const plain = (text: string): string => text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+/, '')

/** Addresses anywhere in a text; in markup also those without a scheme, and however they are spelled. */
export function addressesIn(text: string, where: 'text' | 'target' | 'markup' = 'text'): string[] {
  if (where === 'text') return text.match(withScheme) ?? []
  if (where === 'target') return plain(text).match(/^(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}.*/i) ?? []
  const decoded = withoutStyleEscapes(decodedAddress(text)).replace(namespaces, '').replace(written, '')
  return decoded.match(inMarkup) ?? decoded.replace(/[\t\n\r]/g, '').match(inMarkup) ?? []
}

const withScheme = /(?:(?:https?|ftps?|wss?|file|smb):[\\/]+|\bwww\.)[^\s<>"'`\\]+/gi
const inMarkup = /(?:[a-z][a-z0-9+.-]*:)?[\\/]{2,}[^\s"'<>)]+|(?:https?|ftps?|wss?):[^\s"'<>)]+/gi

/** The image itself, written out. */
const written = /data:[\w.+-]*\/?[\w.+-]*(?:;[\w=.+-]+)*,[A-Za-z0-9+/=%]*/gi
const namespaces = /\bxmlns(?::\w+)?\s*=\s*(["'])http:\/\/www\.w3\.org\/[\w/.]*\1/gi

/** `\68 ttps:` is how a style sheet may spell `https:`. */
function withoutStyleEscapes(text: string): string {
  return text.replace(/\\([0-9a-f]{1,6})[ \t\n]?/gi, (whole, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : whole
  })
}

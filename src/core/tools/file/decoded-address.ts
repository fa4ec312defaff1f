/** An address with its character references as a browser reads them, as far as addresses are hidden with them. */
export function decodedAddress(text: string): string {
  return text.replace(reference, (_, hex?: string, decimal?: string, named?: string) => {
    if (named !== undefined) return meanings[named.toLowerCase()]
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

const meanings: Record<string, string> = {
  tab: '',
  newline: '',
  colon: ':',
  sol: '/',
  quest: '?',
  equals: '=',
  percnt: '%',
  amp: '&',
}
const reference = new RegExp(`&(?:#x([0-9a-f]{1,9})|#(\\d{1,9})|(${Object.keys(meanings).join('|')}));?`, 'gi')

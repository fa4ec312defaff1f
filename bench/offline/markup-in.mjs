const marks = [
  /!?\[[^\]]*\]\([^)]*\)/,
  /\[\[|\]\]/,
  /<\/?[a-z][^>]*>|<!--|&[a-z]+;/i,
  /\*\*|__|~~|==|`/,
  /(?<![\w*])\*(?=\S)[^*]*\S\*(?![\w*])|(?<![\w_])_(?=\S)[^_]*\S_(?![\w_])/,
  /\|/,
  /%%|\$\$/,
  /^#{1,6} |\[![\w-]+\]/,
  /\bshields\.io|badge\.svg/i,
  /^[\w-]+: ["[{]|---/,
  /\s\^[\w-]+$/,
]

/** Returns the markup in a cited line. Its own bullet and the link to its note do not count. */
export function markupIn(line) {
  const words = line
    .replace(/^- /, '')
    .replace(/\[\[[^\]]*\]\]$/, '')
    .replace(/ \[[^\]]*\]\([^)]*\)$/, '')
    .trim()
    .replace(/^["“«]/, '')
  return marks.flatMap((mark) => mark.exec(words)?.[0] ?? [])
}

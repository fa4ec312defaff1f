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

/** What of a cited line is markup and no words: its own bullet and the link to its note do not count. */
export function markupIn(line) {
  const words = line
    .replace(/^- /, '')
    .replace(/\[\[[^\]]*\]\]$/, '')
    .replace(/ \[[^\]]*\]\([^)]*\)$/, '')
    .trim()
    .replace(/^["“«]/, '')
  return marks.flatMap((mark) => mark.exec(words)?.[0] ?? [])
}

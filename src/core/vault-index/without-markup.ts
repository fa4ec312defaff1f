const comment = /%%[\s\S]*?%%|<!--[\s\S]*?-->/g
const picture = /!\[[^[\]\n]*\]\([^()\n]*\)/g
/** Tags that people write in notes; `Map<string, number>` is none. */
const tag =
  /<\/?(?:a|abbr|b|br|button|center|code|details|div|em|figure|font|h[1-6]|hr|i|iframe|img|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul|video)(?:\s[^<>\n]*)?\/?>/gi
const link = /\[([^[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g
const wikilink = /!?\[\[([^[\]|\n]*)(?:\|([^[\]\n]*))?\]\]/g

/**
 * A passage without what nobody reads: comments, pictures, HTML tags, and where links lead. Quick and approximate, for
 * something to be glanced at; what is quoted goes through `readLines`.
 */
export function withoutMarkup(passage: string): string {
  return passage
    .replace(comment, ' ')
    .replace(picture, ' ')
    .replace(tag, ' ')
    .replace(link, '$1')
    .replace(wikilink, (_, note: string, shown: string | undefined) => shown ?? note)
}

const longest = 240
const mostSentences = 3

/** Says in the first person that something will be looked up or done. Enough of many languages; the other rules know none. */
const intentions = [
  /\b(?:I['’]?ll|I will|I am going to|I['’]?m going to|I need to|I['’]?m|I am|let me|let['’]s|first,? I|allow me to)\b.{0,60}\b(?:search|look|check|find|read|open|fetch|list|retrieve|review|scan|explore|query|gather|create|add|append|write|edit|update|rename|move|tag|use|call|start|do (?:that|this|so))/i,
  /\b(?:searching|looking (?:up|through|for|into)|checking|reading|fetching|retrieving)\b.{0,60}(?:\bnow\b|\.\.\.|…)/i,
  /\b(?:ich (?:werde|suche|schaue|sehe|prüfe|lese|öffne)|lass(?:en Sie)? mich|einen moment|moment bitte)\b/i,
  /\b(?:je vais|laisse[zr]?[- ]moi|permettez[- ]moi|je (?:cherche|regarde|vérifie|lis))\b/i,
  /\b(?:voy a|vamos a|déjame|permíteme|déjeme|un momento)(?!\p{L})|\b(?:buscaré|revisaré|leeré)(?!\p{L})/iu,
  /\b(?:vou|deixe-me|deixa eu|um momento)\b|\b(?:cercherò|controllerò|leggerò)(?!\p{L})|\b(?:vado a|fammi|lasciami|un momento)\b/iu,
  /\b(?:ik (?:ga|zal|zoek|kijk)|laat me|even kijken)\b/i,
  /(?:^|[^\p{L}])(?:я (?:сейчас )?(?:поищу|найду|посмотрю|проверю|прочитаю|открою|ищу)|сейчас (?:поищу|найду|посмотрю|проверю)|давайте? (?:я )?(?:поищ|посмотр|провер))/iu,
  /(?:^|[^\p{L}])(?:poszukam|sprawdzę|zobaczę|pozwól|zaraz)(?!\p{L})|(?:^|[^\p{L}])(?:arayacağım|bakacağım|kontrol ed(?:eyim|eceğim)|bakayım)(?!\p{L})/iu,
  /(?:我(?:来|會|会|將|将|先|要|这就|現在|现在)|让我|讓我|正在(?:搜索|查找|搜尋|查询)|稍等)/,
  /(?:検索し(?:ます|てみます|てい)|調べ(?:ます|てみます|てい)|確認し(?:ます|てみます)|探し(?:ます|てみます)|お待ちください)/,
  /(?:검색(?:해|하)|찾아\s?보|확인(?:해|하)|살펴보|잠시만)/,
]

/**
 * Whether a reply without a call only announces one: a few words that say what will be done, that end as if something
 * followed, or that name a tool. Answers and questions are neither.
 */
export function isAnnouncement(reply: string, tools: readonly string[]): boolean {
  const text = reply.trim()
  if (text === '' || text.length > longest || /[?？؟]/.test(text) || /\[\[|```|^\s*(?:[-*#>|]|\d+\.)\s/m.test(text))
    return false
  if (text.split(/[.!。！]+(?:\s|$)|[。！]|\n+/).filter((sentence) => sentence.trim() !== '').length > mostSentences)
    return false
  return (
    /(?:…|\.\.\.|[:：])$/.test(text) ||
    tools.some((name) => name.includes('_') && text.includes(name)) ||
    intentions.some((intention) => intention.test(text))
  )
}

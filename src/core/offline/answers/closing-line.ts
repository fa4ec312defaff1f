/** The last line of an answer: what this was, and how to get more than this. */
export function closingLine(howToGetOne: string): string {
  return `*No language model is configured, so I search and quote instead of answering in my own words. ${howToGetOne}*`
}

/** For a conversation in which nothing can be looked up. */
export function chatText(howToGetOne: string): string {
  return `No language model is configured, and without one I can only search your notes, quote them, and run plain requests such as \`rename A to B\` or \`what links to A\`. This conversation has no tools, so I cannot do that here either. ${howToGetOne}`
}

/** The last line of an answer: what this was, and how to get more than this. */
export function closingLine(wayOut: string): string {
  return `*No language model is configured, so I search and quote instead of answering in my own words. ${wayOut}*`
}

/** For a conversation in which nothing can be looked up. */
export function chatText(wayOut: string): string {
  return `No language model is configured, and without one I can only search your notes, quote them, and run plain requests such as \`rename A to B\` or \`what links to A\`. This conversation has no tools, so I cannot do that here either. ${wayOut}`
}

const mostNamed = 3

/** Which models are at hand, and what to type. */
export function wayOutOf(found: readonly string[]): string {
  const [first] = found
  if (first === undefined) return 'See how to get one: `notewright models`.'
  const named = found.slice(0, mostNamed).map((model) => `\`${model}\``)
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more (\`notewright models\`)` : ''
  return `Found on this machine: ${named.join(', ')}${more}. Use one with \`-m ${first}\`.`
}

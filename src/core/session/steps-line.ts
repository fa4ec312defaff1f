/** What calls have done, in one line: "Searched notes, read 2 notes". By their titles, in the order they first came. */
export function stepsLine(titles: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1)
  return [...counts]
    .map(([title, count]) => told(title, count))
    .map((words, at) => (at === 0 ? words : words[0].toLowerCase() + words.slice(1)))
    .join(', ')
}

/** How the first word of a title, which says what to do, is told when it was done. */
const done: Record<string, string> = {
  Append: 'Appended',
  Convert: 'Converted',
  Create: 'Created',
  Delete: 'Deleted',
  Edit: 'Edited',
  Get: 'Got',
  Index: 'Indexed',
  List: 'Listed',
  Read: 'Read',
  Rename: 'Renamed',
  Search: 'Searched',
  Update: 'Updated',
  Write: 'Wrote',
}

function told(title: string, count: number): string {
  const [first, ...rest] = title.split(' ')
  // A title of somebody else's tool is a name: nothing is made of it.
  const words = Object.hasOwn(done, first) ? [done[first], ...rest].join(' ') : `Used ${title}`
  if (count === 1) return words.replace(/ note$/, ' a note')
  return / note$/.test(words) ? words.replace(/ note$/, ` ${count} notes`) : `${words} ${count} times`
}

import type { Result } from '../prompt/index.js'

/** A note as it stands. In a fence nothing of it can be taken for words of ours or for a citation. */
export function noteText({ text }: Result): string {
  const at = text.search(/^\[.+\]/m)
  const end = text.indexOf('\n', Math.max(at, 0))
  if (at === -1 || end === -1) return text
  const header = text
    .slice(0, end)
    .trim()
    .replace(/^\[(.+?)\](.*)$/s, '$1.$2')
  const content = text.slice(end + 1).replace(/\n+$/, '')
  if (content === '') return header
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${header}\n\n${fence}markdown\n${content}\n${fence}`
}

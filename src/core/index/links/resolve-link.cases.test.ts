import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scanNote } from '../../markdown/index.js'
import { notePath } from '../../vault/index.js'
import { fileNames } from './file-names.js'
import { resolveLink } from './resolve-link.js'

interface LinkCase {
  id: string
  files: string[]
  source: string
  link: string
  expected_target: string | null
  expected_subpath?: string
  not_a_link?: boolean
  embed?: boolean
  context?: 'table' | 'frontmatter'
  why: string
}

const cases = readFileSync(new URL('../../../../test/cases/link-cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as LinkCase)

describe('links lead where Obsidian leads them', () => {
  it('has all cases', () => expect(cases.length).toBeGreaterThanOrEqual(32))

  for (const lineBreak of ['\n', '\r\n']) {
    it.each(cases)(`$id: $why (${JSON.stringify(lineBreak)})`, (example) => {
      const names = fileNames(example.files.map(notePath))
      const { links } = scanNote(noteWith(example).replaceAll('\n', lineBreak))
      const internal = links.filter(({ kind }) => kind !== 'external')
      if (example.not_a_link) return expect(internal).toEqual([])

      expect(internal).toHaveLength(1)
      const [link] = internal
      expect(resolveLink(names, notePath(example.source), link.target)).toBe(example.expected_target)
      expect(link.subpath).toBe(example.expected_subpath)
      if (example.context === undefined) expect(link.kind === 'embed').toBe(example.embed === true)
    })
  }
})

function noteWith({ context, link }: LinkCase): string {
  if (context === 'frontmatter') return `---\n${link}\n---\nText\n`
  if (context === 'table') return `| a | b |\n| --- | --- |\n${link}\n`
  return `Before ${link} after.\n`
}

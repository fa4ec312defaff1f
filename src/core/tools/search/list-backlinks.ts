import * as z from 'zod'
import type { StoredLink } from '../../index/index.js'
import { compareText } from '../../index/index.js'
import type { NotePath } from '../../vault/index.js'
import { notePath } from '../../vault/index.js'
import { counted, jsonText, remarks, remarksField, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import { inputNote, linkInput, linkPage, resolveLinkInput, titlesOf } from './link-page.js'

export const listBacklinks = defineTool({
  name: 'list_backlinks',
  title: 'List backlinks',
  description:
    'List the links in other notes that point to a note: source path and title, link text and type, by title.',
  activity: 'Looking for backlinks',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: linkInput,
  example: { path: 'Garden/Tomatoes.md' },
  output: z.object({
    links: z.array(
      z.object({ source_path: z.string(), source_title: z.string(), link_text: z.string(), link_type: z.string() }),
    ),
    remarks: remarksField,
  }),
  reaches: resolveLinkInput,

  async run(input, { index, signal }) {
    const links = await index.linksTo(inputNote(input))
    const titles = await titlesOf(
      links.map(({ source }) => source),
      index,
      signal,
    )
    const titleOf = (source: NotePath): string => titles.get(source) ?? source
    const byTitle = (a: StoredLink, b: StoredLink): number =>
      compareText(titleOf(a.source), titleOf(b.source)) || compareText(a.source, b.source) || a.line - b.line
    const { page, remark } = linkPage(links.sort(byTitle), input)
    const shown = page.map(({ source, text, kind }) => ({
      source_path: source,
      source_title: titleOf(source),
      link_text: shortText(text),
      link_type: kind,
    }))
    return { links: shown, ...remarks(remark) }
  },

  render: (found) => jsonText(found.links, found.remarks),
  notesIn: ({ links }) => [...new Set(links.map(({ source_path }) => notePath(source_path)))],
  summary: ({ links }) => counted(links.length, 'link'),
})

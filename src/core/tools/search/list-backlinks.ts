import * as z from 'zod'
import type { StoredLink } from '../../index/index.js'
import { compareText } from '../../index/index.js'
import type { NotePath } from '../../vault/index.js'
import { notePath } from '../../vault/index.js'
import { counted, remarks, remarksField, shortText } from '../result-format.js'
import { findEach, givenNotes, leftOut, missingRemark } from '../several-notes.js'
import { defineTool } from '../tool.js'
import { countedLinks, linkInput, linkLines, linkPage, resolveLinkInput, titlesOf } from './link-page.js'

export const listBacklinks = defineTool({
  name: 'list_backlinks',
  title: 'List backlinks',
  description:
    'List the links to a note, or to several: the notes they are in, with line and the link as written. Sorted by title.',
  activity: 'Looking for backlinks',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  inBrief: ['path'],
  input: linkInput,
  example: { path: 'Garden/Tomatoes.md' },
  output: z.object({
    targets: z.array(z.string()).describe('The notes asked for'),
    links: z.array(
      z.object({
        target_path: z.string(),
        source_path: z.string(),
        source_title: z.string(),
        line: z.number(),
        raw: z.string(),
        link_text: z.string(),
        link_type: z.string(),
      }),
    ),
    missing: z.array(leftOut).optional(),
    remarks: remarksField,
  }),
  reaches: (input, context) => resolveLinkInput('list_backlinks', input, context),

  async run(input, { index, signal }) {
    const given = givenNotes('list_backlinks', input)
    const { found, missing } = await findEach(given, async (name) => (await index.find(name)).path)
    const all: StoredLink[] = []
    for (const path of found) {
      const links = await index.linksTo(path)
      const titles = await titlesOf(
        links.map(({ source }) => source),
        index,
        signal,
      )
      const titleOf = (source: NotePath): string => titles.get(source) ?? source
      all.push(
        ...links.sort(
          (a, b) =>
            compareText(titleOf(a.source), titleOf(b.source)) || compareText(a.source, b.source) || a.line - b.line,
        ),
      )
    }
    const { page, remark } = linkPage(all, input)
    const titles = await titlesOf(
      page.map(({ source }) => source),
      index,
      signal,
    )
    const links = page.map(({ source, target, text, kind, line, raw }) => ({
      target_path: target ?? '',
      source_path: source,
      source_title: titles.get(source) ?? source,
      line,
      raw: shortText(raw, 300),
      link_text: shortText(text),
      link_type: kind,
    }))
    return { targets: found, links, ...(missing.length > 0 && { missing }), ...remarks(remark, missingRemark(missing)) }
  },

  render: ({ targets, links, remarks: said = [] }) =>
    [
      ...targets.flatMap((target) => {
        const own = links.filter(({ target_path }) => target_path === target)
        const lines = own.map(({ source_path, line, raw }) => ({ path: source_path, line, text: raw }))
        return linkLines((count) => `${countedLinks(count)} to ${shortText(target)}:`, lines)
      }),
      ...said,
    ].join('\n'),
  notesIn: ({ links }) => [...new Set(links.map(({ source_path }) => notePath(source_path)))],
  summary: ({ links }) => counted(links.length, 'link'),
})

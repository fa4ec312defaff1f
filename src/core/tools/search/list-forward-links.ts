import * as z from 'zod'
import type { StoredLink } from '../../index/index.js'
import { notePath } from '../../vault/index.js'
import { counted, remarks, remarksField, shortText } from '../result-format.js'
import { findEach, givenNotes, leftOut, missingRemark } from '../several-notes.js'
import { defineTool } from '../tool.js'
import { countedLinks, linkInput, linkPage, resolveLinkInput, titlesOf } from './link-page.js'

export const listForwardLinks = defineTool({
  name: 'list_forward_links',
  title: 'List forward links',
  description:
    'List the links in a note, or in several, in order: line, the link as written, and its target. A link without a target is marked.',
  activity: 'Looking for links',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  inBrief: ['path'],
  input: linkInput,
  example: { path: 'Garden/Tomatoes.md' },
  output: z.object({
    sources: z.array(z.string()).describe('The notes asked for'),
    links: z.array(
      z.object({
        target_path: z.string().nullable(),
        target_title: z.string().optional(),
        /** Only where it leads nowhere: a URL, or a note that is not there. */
        target: z.string().optional(),
        line: z.number(),
        raw: z.string(),
        link_text: z.string(),
        link_type: z.string(),
        source_path: z.string(),
      }),
    ),
    missing: z.array(leftOut).optional(),
    remarks: remarksField,
  }),
  reaches: (input, context) => resolveLinkInput('list_forward_links', input, context),

  async run(input, { index, signal }) {
    const given = givenNotes('list_forward_links', input)
    const { found, missing } = await findEach(given, async (name) => (await index.find(name)).path)
    const all: StoredLink[] = []
    for (const path of found) all.push(...(await index.linksFrom(path)))
    const { page, remark } = linkPage(all, input)
    const titles = await titlesOf(
      page.flatMap(({ target }) => target ?? []),
      index,
      signal,
    )
    const links = page.map(({ source, target, written, text, kind, line, raw }) => ({
      target_path: target,
      ...(target !== null && titles.has(target) && { target_title: titles.get(target) }),
      ...(target === null && { target: shortText(written, 500) }),
      line,
      raw: shortText(raw, 500),
      link_text: shortText(text),
      link_type: kind,
      source_path: source,
    }))
    return { sources: found, links, ...(missing.length > 0 && { missing }), ...remarks(remark, missingRemark(missing)) }
  },

  render: ({ sources, links, remarks: said = [] }) =>
    [
      ...sources.flatMap((source) => {
        const own = links.filter(({ source_path }) => source_path === source)
        return [`${countedLinks(own.length)} in ${shortText(source)}:`, ...own.map(forwardLine)]
      }),
      ...said,
    ].join('\n'),
  notesIn: ({ links }) => {
    const named = links.flatMap(({ target_path, target_title }) => (target_title === undefined ? [] : [target_path!]))
    return [...new Set([...links.map(({ source_path }) => source_path), ...named])].map(notePath)
  },
  summary: ({ links }) => counted(links.length, 'link'),
})

interface ForwardLink {
  line: number
  raw: string
  target_path: string | null
  link_type: string
}

function forwardLine({ line, raw, target_path: target, link_type: type }: ForwardLink): string {
  const leads = target === null ? (type === 'external' ? '' : ' (no such note)') : ` -> ${shortText(target, 1000)}`
  return ` ${line}: ${raw}${leads}`
}

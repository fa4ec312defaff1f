import * as z from 'zod'
import { notePath } from '../../vault/index.js'
import { counted, jsonText, remarks, remarksField, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import { inputNote, linkInput, linkPage, resolveLinkInput, titlesOf } from './link-page.js'

export const listForwardLinks = defineTool({
  name: 'list_forward_links',
  title: 'List forward links',
  description:
    'List the links in a note, in order. Returns target path (null for a link without a target, then with the target as written) and title, link text and type.',
  activity: 'Looking for links',
  category: 'search',
  effects: ['reads'],
  needsVault: true,
  input: linkInput,
  example: { path: 'Garden/Tomatoes.md' },
  output: z.object({
    links: z.array(
      z.object({
        target_path: z.string().nullable(),
        target_title: z.string().optional(),
        /** Only where it leads nowhere: a URL, or a note that is not there. */
        target: z.string().optional(),
        link_text: z.string(),
        link_type: z.string(),
        source_path: z.string().describe('The note asked for'),
      }),
    ),
    remarks: remarksField,
  }),
  reaches: resolveLinkInput,

  async run(input, { index, signal }) {
    const { page, remark } = linkPage(await index.linksFrom(inputNote(input)), input)
    const titles = await titlesOf(
      page.flatMap(({ target }) => target ?? []),
      index,
      signal,
    )
    const shown = page.map(({ source, target, written, text, kind }) => ({
      target_path: target,
      ...(target !== null && titles.has(target) && { target_title: titles.get(target) }),
      ...(target === null && { target: shortText(written, 500) }),
      link_text: shortText(text),
      link_type: kind,
      source_path: source,
    }))
    return { links: shown, ...remarks(remark) }
  },

  render: (found) => jsonText(found.links, found.remarks),
  notesIn: ({ links }) => {
    const named = links.flatMap(({ target_path, target_title }) => (target_title === undefined ? [] : [target_path!]))
    return [...new Set([...links.slice(0, 1).map(({ source_path }) => source_path), ...named])].map(notePath)
  },
  summary: ({ links }) => counted(links.length, 'link'),
})

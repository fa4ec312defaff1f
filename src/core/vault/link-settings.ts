/**
 * How the links of a folder are read. `obsidian`: a name is looked up in the whole vault. `markdown`: a Markdown link is
 * a path from its own note, as GitHub, editors and static sites read it.
 */
export type LinkReading = 'obsidian' | 'markdown'

/** How a folder's links are read, and how Obsidian is set to spell one that is written anew. */
export interface LinkSettings {
  reading: LinkReading
  /** Absent where it is not set: a link is then spelled as its author did. */
  newLinkFormat?: 'shortest' | 'relative' | 'absolute'
  /** Markdown links always carry `.md` then. */
  useMarkdownLinks?: boolean
}

/** A folder that Obsidian has not opened. */
export const plainMarkdown: LinkSettings = { reading: 'markdown' }

/** What Obsidian's `app.json` says about links. The file comes with the vault: what is absurd counts as not set. */
export function linkSettings(appJson: string): LinkSettings {
  const { newLinkFormat, useMarkdownLinks } = parsed(appJson)
  return {
    reading: 'obsidian',
    ...(isFormat(newLinkFormat) && { newLinkFormat }),
    ...(typeof useMarkdownLinks === 'boolean' && { useMarkdownLinks }),
  }
}

const isFormat = (value: unknown): value is LinkSettings['newLinkFormat'] =>
  value === 'shortest' || value === 'relative' || value === 'absolute'

function parsed(text: string): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

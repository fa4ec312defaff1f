import type { GuideFolder } from '../../../core/guides/index.js'
import { insideFolder, nodeFiles } from '../files/index.js'

const mostBytes = 256 << 10
const mostInstructions = 32 << 10

/** What says how to work, beside the notes: in the person's config folder, and in the vault's dot folders. */
export interface FolderGuides {
  folders: readonly GuideFolder[]
  /** The person's own `AGENTS.md`. */
  instructions(): Promise<string | undefined>
}

/** The person's own come first. */
export function folderGuides(root: string, configFolder: string): FolderGuides {
  const own = insideFolder(nodeFiles, configFolder)
  const vault = insideFolder(nodeFiles, root)
  const guide = (kind: GuideFolder['kind'], from: GuideFolder['from'], name: string): GuideFolder => {
    const inside = from === 'person' ? own : vault
    return {
      kind,
      from,
      name,
      list: () => inside.list(name),
      read: (path) => inside.read(`${name}/${path}`, mostBytes),
    }
  }
  return {
    folders: [
      guide('skills', 'person', 'skills'),
      guide('skills', 'vault', '.agents/skills'),
      guide('skills', 'vault', '.claude/skills'),
      guide('prompts', 'person', 'prompts'),
      guide('prompts', 'vault', '.agents/prompts'),
      guide('prompts', 'vault', '.claude/commands'),
    ],
    instructions: () => own.read('AGENTS.md', mostInstructions),
  }
}

import { Failure } from '../errors.js'
import { scalarText } from '../text/index.js'
import type { GuideFolder } from './guide-folder.js'
import { bodyOf, propertiesOf } from './read-skills.js'

/** A request that is used again and again: `/name words`. */
export interface PromptFile {
  name: string
  description: string
  from: 'person' | 'vault'
  text: string
}

const mostPrompts = 100

/** The prompt files in these folders, by name; of two of one name the first counts. */
export async function readPrompts(
  folders: readonly GuideFolder[],
  onTrouble: (text: string) => void,
): Promise<PromptFile[]> {
  const prompts = new Map<string, PromptFile>()
  for (const folder of folders.filter(({ kind }) => kind === 'prompts')) {
    for (const file of await folder.list()) {
      const name = /^([\p{L}\p{N}][\p{L}\p{N}_-]{0,63})\.md$/u.exec(file)?.[1]?.toLowerCase()
      if (name === undefined || prompts.has(name) || prompts.size >= mostPrompts) continue
      const text = await folder.read(file).catch((error) => {
        if (!(error instanceof Failure)) throw error
        onTrouble(`The prompt ${folder.name}/${file} is left out: ${error.message}`)
      })
      if (text === undefined) continue
      const description = scalarText(propertiesOf(text).description).replace(/\s+/g, ' ').trim()
      prompts.set(name, { name, description: description.slice(0, 200), from: folder.from, text: bodyOf(text) })
    }
  }
  return [...prompts.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFolder } from '../../../../../hosts/node/state/index.js'

export interface PromptHistory {
  readonly entries: readonly string[]
  add(text: string): Promise<void>
}

const most = 1000
const longest = 20_000

/** What a person typed before, across sessions: one JSON string a line, in a file for their eyes only. */
export async function promptHistory(state: string): Promise<PromptHistory> {
  const file = join(state, 'chat-history.jsonl')
  const entries = read(await readFile(file, 'utf8').catch(() => ''))
  if (entries.length > most) {
    entries.splice(0, entries.length - most)
    await writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 }).catch(
      () => {},
    )
  }
  return {
    entries,
    async add(text) {
      if (text === entries.at(-1) || text.trim() === '' || text.length > longest) return
      entries.push(text)
      // A history that cannot be kept is no reason to stop talking.
      await privateFolder(state)
        .then(() => appendFile(file, `${JSON.stringify(text)}\n`, { mode: 0o600 }))
        .catch(() => {})
    },
  }
}

function read(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return typeof entry === 'string' ? [entry] : []
    } catch {
      return []
    }
  })
}

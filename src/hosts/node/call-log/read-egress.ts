import type { LoggedRequest } from '../../../core/tools/index.js'
import { type FileAccess, nodeFiles } from '../files/index.js'
import { withLogFiles } from './log-files.js'
import { rowsOf } from './rows-of.js'

/** Something that left the machine: a request to a model, or one that a tool made. */
export type Egress = LoggedRequest | ToolEgress

export interface ToolEgress {
  time: string
  session: string
  turn?: string
  tool: string
  destination: string
  bytes: number
  sha256: string
}

export interface EgressQuestion {
  folder: string
  since?: Date
  files?: FileAccess
}

/** All that left, oldest first: as it was written before it did. */
export async function readEgress({ folder, since, files = nodeFiles }: EgressQuestion): Promise<Egress[]> {
  const found = await withLogFiles(files, folder, async (opened) => {
    const all: Egress[] = []
    for (const file of opened) {
      for (const row of (await rowsOf(file)).rows) {
        if (row.row === 'request') {
          const { row: _, n: __, prev: ___, hash: ____, ...request } = row
          all.push(request)
        } else if (row.row === 'intent') {
          const { timestamp: time, session, turn, tool_name: tool, egress = [] } = row
          all.push(...egress.map((sent) => ({ time, session, ...(turn && { turn }), tool, ...sent })))
        }
      }
    }
    return all
  })
  const after = since?.getTime() ?? Number.NEGATIVE_INFINITY
  return found
    .filter(({ time }) => Date.parse(time) >= after)
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
}

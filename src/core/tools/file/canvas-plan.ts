import { type Canvas, canvasChanges, readCanvas } from '../../canvas/index.js'
import { Failure } from '../../errors.js'
import { isNote, notePath } from '../../vault/index.js'
import type { Notice } from '../tool.js'
import type { ToolContext } from '../tool-context.js'

/** What a person is told of a canvas that would be written. Refused where it is none, or shows files that are not there. */
export async function canvasNotices(
  path: string,
  before: string | undefined,
  after: string,
  { vault }: Pick<ToolContext, 'vault'>,
): Promise<Notice[]> {
  const canvas = readCanvas(after)
  for (const { type, about } of canvas.nodes) {
    if (type === 'file' && !(await isThere(about, vault))) {
      throw new Failure('not-found', `This canvas shows ${about}, which is not there.`, {
        hint: 'Use paths as the tools return them, or a text card.',
      })
    }
  }
  const changes = canvasChanges(standing(before), canvas).slice(0, mostLines)
  return changes.map((text) => ({ kind: 'other' as const, text: `${path}: ${text}.` }))
}

const mostLines = 40

/** One that cannot be read is replaced as a whole, which its diff shows. */
function standing(text: string | undefined): Canvas {
  try {
    return readCanvas(text ?? '')
  } catch {
    return { nodes: [], edges: [] }
  }
}

async function isThere(file: string, vault: ToolContext['vault']): Promise<boolean> {
  try {
    const path = notePath(file)
    // A hidden note has a stamp like others; no part of it can be read.
    const found = isNote(path) ? vault.readPart(path, { from: 0, bytes: 0 }) : vault.stat(path)
    return (await found) !== undefined
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

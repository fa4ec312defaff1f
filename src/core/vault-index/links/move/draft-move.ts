import type { Change, ContentHash, NoteFile, NotePath } from '../../../vault/index.js'
import type { StoredLink } from '../../index-store.js'
import { formOf } from '../resolve-link.js'
import { linkFate } from './link-fate.js'
import type { MoveImpact } from './plan-move.js'
import type { Renaming } from './renaming.js'
import { rewriteCanvas } from './rewrite-canvas.js'
import { countLinksToRewrite, rewriteLinks } from './rewrite-links.js'

/** Gathers changes and impact, file by file. */
export function draftMove(renaming: Renaming) {
  const { before, moved } = renaming
  const hashes = new Map<NotePath, ContentHash>()
  const edits: (Change & { kind: 'edit' })[] = []
  const impact: MoveImpact = {
    files: moved.size,
    notes: 0,
    links: 0,
    byKind: {},
    captured: 0,
    canvases: [],
    notUtf8: [],
    outOfReach: [],
    unread: [],
  }
  const edit = (path: NotePath, hash: ContentHash, text: string) =>
    edits.push({ kind: 'edit', path, before: hash, after: new TextEncoder().encode(text) })
  const count = (kind: keyof MoveImpact['byKind'], number = 1) => {
    impact.links += number
    impact.byKind[kind] = (impact.byKind[kind] ?? 0) + number
  }

  return {
    impact,

    bind({ path, hash }: NoteFile): void {
      hashes.set(path, hash)
    },

    leave(path: NotePath): void {
      impact.unread.push(moved.get(path) ?? path)
    },

    rewrite(file: NoteFile): void {
      const path = moved.get(file.path) ?? file.path
      if (file.encoding !== 'utf-8') {
        if (countLinksToRewrite(renaming, file.path, file.text) > 0) impact.notUtf8.push(path)
        return
      }
      const { text, kinds, captured, outOfReach } = rewriteLinks(renaming, file.path, file.text)
      impact.captured += captured
      for (const { line, raw } of outOfReach) impact.outOfReach.push({ path, line, raw })
      if (kinds.length === 0) return
      impact.notes++
      for (const kind of kinds) count(kind)
      edit(path, file.hash, text)
    },

    rewriteCanvas(file: NoteFile): void {
      const path = moved.get(file.path) ?? file.path
      const { text, count: references } = rewriteCanvas(renaming, file.path, file.text)
      if (references === 0) return
      if (file.encoding !== 'utf-8') return void impact.notUtf8.push(path)
      impact.canvases.push({ path, count: references })
      count('canvas', references)
      if (moved.has(file.path)) hashes.set(file.path, file.hash)
      edit(path, file.hash, text)
    },

    /** The notes, other than the moved ones, that have a link to rewrite. Links that are only captured are counted. */
    affectedBy(links: readonly StoredLink[]): NotePath[] {
      const sources = new Set<NotePath>()
      const captured = new Map<NotePath, number>()
      for (const { source, written, kind, raw } of links) {
        if (kind === 'external' || moved.has(source) || !before.has(source)) continue
        const fate = linkFate(renaming, source, written, formOf(raw))
        if (fate.written !== undefined) sources.add(source)
        if (fate.isCaptured) captured.set(source, (captured.get(source) ?? 0) + 1)
      }
      for (const [source, number] of captured) if (!sources.has(source)) impact.captured += number
      return [...sources].sort()
    },

    changes(): Change[] {
      const moves = [...moved].map(([path, to]): Change => {
        const hash = hashes.get(path)
        return hash === undefined ? { kind: 'move', path, to } : { kind: 'move', path, to, before: hash }
      })
      return [...moves, ...edits.sort((a, b) => (a.path < b.path ? -1 : 1))]
    },
  }
}

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer, ApprovalRequest } from '../../src/core/approval/index.js'
import { withTools } from './tools/tool-floor.js'

const files = {
  '.obsidian/app.json': '{}',
  '.notewrightignore': 'Journal/\n*.secret.md\n',
  'Plan.md': '# Plan\n',
  'Home.md': 'See [[Plan]].\n',
  'Diary.md': '---\nprivate: true\n---\nKANARI [[Plan]] and [p](Plan.md) here\n',
  'Journal/deep/Day.md': 'KANARI ![[Plan#x]]\n',
  'a.secret.md': 'KANARI nothing here\n',
  'Journal/Taken.md': 'KANARI\n',
  'Journal/Board.canvas': '{"nodes":[{"file":"Plan.md"}]}',
}
const rename = ['rename_note', { path: 'Plan.md', new_path: 'Sub/Road.md' }] as const
const names = /KANARI|Diary|Journal|secret|Board/

describe('links in hidden notes', () => {
  it.each(['ask', 'edit', 'auto'] as const)('are counted for the user at level %s, and never named', async (level) => {
    const answer = () => ({ verdict: 'allow', scope: 'once' }) as const
    await withTools(files, { level, answer }, async (floor) => {
      const result = await floor.done(...rename)
      const [request, ...more] = floor.shown as ApprovalRequest[]
      expect(more).toEqual([])
      expect(request.impact?.hidden).toEqual({ notes: 3, links: 4, rewritten: false, namesakes: 0 })
      expect(request.notices.map(({ text }) => text)).toContain(
        '4 links in 3 notes that Notewright may not touch would break.',
      )
      expect(JSON.stringify(request)).not.toMatch(names)
      expect(JSON.stringify(result)).not.toMatch(names)
      expect(floor.bytes('Diary.md').toString()).toBe(files['Diary.md'])
      expect(floor.bytes('Home.md').toString()).toBe('See [[Road]].\n')
    })
  })

  it('are rewritten if the user says so, after a preview, and restored by undo', async () => {
    const answers: ApprovalAnswer[] = [{ verdict: 'allow', touchesHidden: true }, { verdict: 'allow' }]
    await withTools(files, { answer: () => answers.shift() }, async (floor) => {
      const result = await floor.done(...rename)
      const [, second] = floor.shown as ApprovalRequest[]
      expect(second.impact?.hidden).toMatchObject({ rewritten: true, links: 4 })
      const shown = second.changes?.map(({ path, diff }) => `${path}\n${diff}`).join('\n')
      expect(shown).toContain('-KANARI [[Plan]] and [p](Plan.md) here\n+KANARI [[Road]] and [p](Road.md) here')
      expect(floor.bytes('Diary.md').toString()).toBe(
        files['Diary.md'].replace('[[Plan]]', '[[Road]]').replace('Plan.md', 'Road.md'),
      )
      expect(floor.bytes('Journal/deep/Day.md').toString()).toBe('KANARI ![[Road#x]]\n')
      expect(floor.bytes('Journal/Board.canvas').toString()).toBe('{"nodes":[{"file":"Sub/Road.md"}]}')
      expect(JSON.stringify(result)).not.toMatch(names)
      expect(result.output).toMatchObject({ links: 1, notes: 1 })
      expect(result.userEdited).toBeUndefined()
      await floor.notebook.apply(await floor.notebook.planUndo({ id: result.changeSet!.id }))
      for (const [path, text] of Object.entries(files)) expect(readFileSync(join(floor.vault, path), 'utf8')).toBe(text)
    })
  })

  it('that changed since the preview stop the whole move', async () => {
    let vault = ''
    const answers: (() => ApprovalAnswer)[] = [
      () => ({ verdict: 'allow', touchesHidden: true }),
      () => {
        rmSync(join(vault, 'Diary.md'))
        return { verdict: 'allow' }
      },
      () => ({ verdict: 'deny' }),
    ]
    await withTools(files, { answer: () => answers.shift()!() }, async (floor) => {
      vault = floor.vault
      await floor.refused('denied', ...rename)
      expect(floor.bytes('Home.md').toString()).toBe(files['Home.md'])
      expect(floor.bytes('Journal/deep/Day.md').toString()).toBe(files['Journal/deep/Day.md'])
    })
  })

  it('are not revealed by a refusal: the model learns only that approval is needed', async () => {
    await withTools(files, { level: 'auto' }, async (floor) => {
      const { text } = await floor.refused('needs-approval', ...rename)
      expect(text).not.toMatch(/private|excluded|hidden|link/i)
    })
  })

  it.each(['ask', 'edit', 'auto'] as const)('at level %s the name of a hidden note is not revealed', async (level) => {
    const taken = ['rename_note', { path: 'Home.md', new_path: 'Taken.md' }] as const
    await withTools(files, { level }, async (floor) => {
      await floor.refused('needs-approval', ...taken)
    })
    await withTools(files, { level, answer: () => ({ verdict: 'allow', scope: 'once' }) }, async (floor) => {
      await floor.done(...taken)
      expect((floor.shown[0] as ApprovalRequest).impact?.hidden).toMatchObject({ links: 0, namesakes: 1 })
    })
  })

  it('need no approval for a rename that does not concern them', async () => {
    await withTools(files, { level: 'auto' }, async (floor) => {
      await floor.done('rename_note', { path: 'Home.md', new_path: 'House.md' })
    })
  })
})

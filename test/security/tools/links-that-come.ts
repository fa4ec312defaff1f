import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ApprovalRequest } from '../../../src/core/approval/index.js'
import { treeHash } from '../floor.js'
import type { Check } from '../security-case.js'
import { withTools } from './tool-floor.js'

const yes = { verdict: 'allow', scope: 'once' } as const
const call = ['rename_note', { path: 'Plan.md', new_path: 'Projects/Road map.md' }] as const

/** 12 links in 9 notes. */
function start(): Record<string, string> {
  const linking = Array.from({ length: 9 }, (_, at) => [
    `n${at}.md`,
    at < 3 ? '[[Plan]] and [p](Plan.md)' : 'See [[Plan]].',
  ])
  return { 'Plan.md': '# Plan\n', ...Object.fromEntries(linking) }
}

/** Writes notes as a sync client would while a request waits for approval. */
function sync(vault: string, from: number): void {
  for (let at = from; at < from + 5; at++) writeFileSync(join(vault, `late ${at}.md`), `Late [[Plan]] ${at}`)
}

const oldLinks = (vault: string): string[] =>
  readdirSync(vault).filter(
    (name) => name.endsWith('.md') && /\[\[Plan|\(Plan/.test(readFileSync(join(vault, name), 'utf8')),
  )

/** A rename whose links grow, or whose notes are locked, while the question is open. */
export const linksThatCome = (): Check[] => [
  {
    name: 'five links that come while the question is open are shown in a second one, and none dangles',
    run: async () => {
      let vault = ''
      let asked = 0
      const answer = () => {
        if (++asked === 1) sync(vault, 0)
        return yes
      }
      await withTools(start(), { answer }, async (floor) => {
        vault = floor.vault
        const { output, text } = await floor.done(...call)
        const shown = floor.shown as ApprovalRequest[]
        expect(shown.map(({ impact }) => [impact?.links, impact?.notes])).toEqual([
          [12, 9],
          [17, 14],
        ])
        expect(shown[1].notices.map((notice) => notice.text).join()).toContain('has changed since this was shown')
        expect(output).toMatchObject({ links: 17, notes: 14 })
        expect(text).not.toContain('has changed')
        expect(oldLinks(vault)).toEqual([])
      })
    },
  },
  {
    name: 'a vault that never stops changing ends in a refusal, and nothing is changed',
    run: async () => {
      let vault = ''
      let asked = 0
      const answer = () => {
        sync(vault, 5 * asked++)
        return yes
      }
      await withTools(start(), { answer }, async (floor) => {
        vault = floor.vault
        await floor.refused('conflict', ...call)
        expect(floor.bytes('Plan.md').toString()).toBe(start()['Plan.md'])
        expect(oldLinks(vault)).toHaveLength(9 + 5 * asked)
      })
    },
  },
  {
    name: 'the second question can be answered with no: nothing is changed',
    run: async () => {
      let vault = ''
      let asked = 0
      const answer = () => {
        if (++asked > 1) return { verdict: 'deny' as const }
        sync(vault, 0)
        return yes
      }
      await withTools(start(), { answer }, async (floor) => {
        vault = floor.vault
        await floor.refused('denied', ...call)
        expect(oldLinks(vault)).toHaveLength(14)
      })
    },
  },
  {
    name: 'one of the notes becomes read-only: refused whole, with the note and what to do',
    run: async () => {
      let vault = ''
      const answer = () => {
        chmodSync(join(vault, 'n4.md'), 0o444)
        return yes
      }
      await withTools(start(), { answer }, async (floor) => {
        vault = floor.vault
        const before = treeHash(vault)
        const { text } = await floor.refused('conflict', ...call)
        expect(text).toContain('n4.md is read-only. Nothing was changed. Make the file writable')
        expect(treeHash(vault)).toBe(before)
      })
    },
  },
]

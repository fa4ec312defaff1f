import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Failure } from '../../../src/core/errors.js'
import { changeSet, notePath } from '../../../src/core/vault/index.js'
import { type DiskVault, folderVault } from '../../../src/hosts/node/folder-vault/folder-vault.js'
import type { AppendAnswer } from '../child.js'
import { encode, fastScratchFolder, onFloor, scratchFolder } from '../floor.js'
import type { Check } from '../security-case.js'
import { askChild } from '../start-child.js'

export function appendChecks(): Check[] {
  return [
    {
      name: '50 parallel appends by one client: every one there once, and found by search',
      run: () =>
        onFloor({ 'log.md': 'start\n' }, async ({ tools, bytes }) => {
          const lines = linesOf('client', 50)
          await Promise.all(lines.map((line) => tools.append('log.md', `${line}\n`)))
          expectEach(bytes('log.md').toString(), { acknowledged: lines, refused: [] })
          expect(await tools.search_notes('client49')).toEqual(['log.md'])
        }),
    },
    {
      name: '50 parallel appends that make the note: one of them does',
      run: () =>
        onFloor({}, async ({ tools, bytes }) => {
          const lines = linesOf('client', 50)
          await Promise.all(lines.map((line) => tools.append('new.md', `${line}\n`)))
          expectEach(`start\n${bytes('new.md')}`, { acknowledged: lines, refused: [] })
        }),
    },
    {
      name: '8 clients with 100 appends each: every acknowledged one there once, refusals say to try again',
      timeoutMs: 180_000,
      run: () =>
        withLog(fastScratchFolder(), async (root, stateDir) => {
          const clients = await Promise.all([...'abcdefgh'].map(() => folderVault({ root, stateDir })))
          const answers = await Promise.all(
            clients.map((vault, at) => appendAll(vault, linesOf(`client${'abcdefgh'[at]}x`, 100))),
          )
          expectEach(readFileSync(join(root, 'log.md'), 'utf8'), joined(answers))
        }),
    },
    {
      name: 'two processes with 25 appends each, at once (the plugin is for a later floor): every acknowledged one there once',
      timeoutMs: 180_000,
      run: () =>
        withLog(scratchFolder(), async (vault, stateDir) => {
          const task = { do: 'append', vault, stateDir, path: 'log.md' } as const
          const answers = await Promise.all(
            ['one', 'two'].map((name) => askChild<AppendAnswer>({ ...task, lines: linesOf(name, 25) })),
          )
          expectEach(readFileSync(join(vault, 'log.md'), 'utf8'), joined(answers))
        }),
    },
    {
      name: 'two processes and this one, while it edits and renames another note: nothing acknowledged is lost',
      timeoutMs: 180_000,
      run: () =>
        onFloor({ 'log.md': 'start\n', 'Other.md': 'see [[log]]' }, async ({ tools, notebook, vault, bytes }) => {
          await notebook.update()
          const task = { do: 'append', vault, stateDir: notebook.stateDir, path: 'log.md' } as const
          const others = ['one', 'two'].map((name) => askChild<AppendAnswer>({ ...task, lines: linesOf(name, 25) }))
          for (let at = 0; at < 10; at++) {
            await tools.append('log.md', `here${at}\n`)
            await tools.rename_note(at % 2 === 0 ? 'Other.md' : 'Another.md', at % 2 === 0 ? 'Another.md' : 'Other.md')
          }
          const here = { acknowledged: linesOf('here', 10), refused: [] }
          const answers = [...(await Promise.all(others)), here]
          expectEach(bytes('log.md').toString(), joined(answers))
        }),
    },
  ]
}

async function withLog(base: string, use: (vault: string, stateDir: string) => Promise<void>): Promise<void> {
  const vault = join(base, 'vault')
  mkdirSync(vault)
  writeFileSync(join(vault, 'log.md'), 'start\n')
  try {
    await use(vault, join(base, 'state'))
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function appendAll(vault: DiskVault, lines: string[]): Promise<AppendAnswer> {
  const answer: AppendAnswer = { acknowledged: [], refused: [] }
  for (const line of lines) {
    try {
      const change = { kind: 'append', path: notePath('log.md'), added: encode(`${line}\n`) } as const
      await vault.apply(changeSet('Append', [change]))
      answer.acknowledged.push(line)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      answer.refused.push({ line, code: error.code, message: error.message, hint: error.details.hint })
    }
  }
  return answer
}

function expectEach(text: string, { acknowledged, refused }: AppendAnswer): void {
  expect(text.split('\n').slice(1, -1).sort()).toEqual([...acknowledged].sort())
  for (const { code, hint } of refused) {
    expect(code).toBe('timeout')
    expect(hint).toMatch(/try again/i)
  }
}

function joined(answers: AppendAnswer[]): AppendAnswer {
  return {
    acknowledged: answers.flatMap(({ acknowledged }) => acknowledged),
    refused: answers.flatMap(({ refused }) => refused),
  }
}

function linesOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}${at}`)
}

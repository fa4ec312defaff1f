import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { changeSet, notePath } from '../../src/core/vault/index.js'
import { withCpuTime } from '../runner/cpu-time.js'
import { encode, expectFailure, type Floor, failureOf, onFloor, patience } from './floor.js'
import type { CaseChecks } from './security-case.js'

const pipes = [0, 1, 2, 3, 4, 5].map((at) => `p${at}.md`)
const odd = [...pipes, 'zero.md', 's.md', 'd.md']

export const livenessCases: CaseChecks = {
  L03: () => [
    ...odd.map((path) => ({
      name: `read_note ${path}: refused in 50 ms of processor time times ${patience}, before anything is read`,
      run: () =>
        withOddFiles(async ({ tools }) => {
          const { ms } = await withCpuTime(() => expectFailure('path', () => tools.read_note(path)))
          expect(ms).toBeLessThan(50 * patience)
        }),
    })),
    ...odd.map((path) => ({
      name: `append to ${path}: refused, and it is still what it was`,
      run: () =>
        withOddFiles(async ({ tools, notebook }) => {
          await expectFailure('path', () => tools.append(path, 'x'))
          const edit = { kind: 'edit', path: notePath(path), before: '0'.repeat(64), after: encode('x') } as const
          await expectFailure('path', () => notebook.apply(changeSet('Edit', [edit])))
          await expectFailure('path', () => tools.read_note(path))
        }),
    })),
    {
      name: `all of them read in parallel, eight times over, and then Note.md in 200 ms of processor time times ${patience}`,
      run: () =>
        withOddFiles(async ({ tools }) => {
          const many = Array.from({ length: 8 }, () => odd).flat()
          const failures = await Promise.all(many.map((path) => failureOf(() => tools.read_note(path))))
          expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['path']))
          const { answer, ms } = await withCpuTime(() => tools.read_note('Note.md'))
          expect(answer.text).toBe('# Note')
          expect(ms).toBeLessThan(200 * patience)
        }),
    },
    {
      name: 'indexing them ends, and only Note.md and the notes in the folder are indexed',
      run: () =>
        withOddFiles(async ({ notebook, tools }) => {
          expect(await notebook.update()).toMatchObject({ notes: 2, skipped: [{ path: 'zero.md' }] })
          expect((await notebook.vault.files()).map(({ path }) => path)).toEqual(['Note.md', 'd.md/inner.md'])
          expect(await tools.search_notes('inner')).toEqual(['d.md/inner.md'])
        }),
    },
  ],
}

async function withOddFiles(use: (floor: Floor) => Promise<void>): Promise<void> {
  await onFloor({ 'Note.md': '# Note' }, async (floor) => {
    const at = (name: string) => join(floor.vault, name)
    execFileSync('mkfifo', pipes.map(at))
    symlinkSync('/dev/zero', at('zero.md'))
    mkdirSync(at('d.md'))
    floor.put('d.md/inner.md', 'inner')
    const server = await listening(at('s.md'))
    try {
      await use(floor)
    } finally {
      await new Promise((done) => server.close(done))
    }
  })
}

/** A socket's name may be 107 bytes at most, which a temporary folder's path stays below. */
function listening(path: string): Promise<Server> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(path, () => done(server))
  })
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../../test/runner/how-often.js'
import { answerOf, testContext } from '../../../../test/tools/call-tool.js'
import { fileNames } from '../../index/links/file-names.js'
import { formOf, resolveLink } from '../../index/links/resolve-link.js'
import { scanNote } from '../../markdown/index.js'
import type { NotePath } from '../../vault/index.js'
import { checkVault } from '../search/check-vault.js'
import { fixVault } from './fix-vault.js'

type Notes = Record<string, string>

const settings = { '.obsidian/app.json': '{}' }

async function fix(notes: Notes, input: Record<string, unknown>) {
  const context = await testContext({ ...settings, ...notes })
  const done = await answerOf(fixVault, input, context)
  return { context, done, after: notesOf(context) }
}

function notesOf({ memory }: Awaited<ReturnType<typeof testContext>>): Notes {
  const decode = new TextDecoder('utf-8', { ignoreBOM: true })
  const all = [...memory.snapshot()].map(([path, bytes]) => [path, decode.decode(bytes)] as const)
  return Object.fromEntries(all.filter(([path]) => !path.startsWith('.')))
}

const notes: Notes = {
  'Garden/Tomatoes.md': '# Care\n\n## Water\n',
  'Plan.md': 'x\n',
  'Notes/Log.md':
    '---\nup: "[[Tomatos]]"\nlist:\n  - \'[[Tomatos|it\'\'s]]\'\n---\r\n# See [[Tomatos#Care]]\n\n| a | b |\n| --- | --- |\n| [[Tomatos\\|t]] | ![[Tomatos#Watr]] |\n\n`[[Tomatos]]` and [t](../Garden/Tomatos.md "T") and [u](<Tomatos.md>)\n[[Nowhere|some *words*]], ![[gone.png|300]] and [x](Nowhere.md)\n',
  'Empty.md': '\n',
  'Tea.md': '---\ntitle: Tea: a "short" history # no\nok: 1\n---\nx\n',
  'Tee.md': '---\ntitle: Tea: a "short" history\nlist:\n  - a: b: c\n---\nx\n',
}

describe('fix_vault', () => {
  it('redirects links in every form, and changes nothing else', async () => {
    const { after, done, context } = await fix(notes, { fixes: ['redirect'] })
    expect(after).toEqual({
      ...notes,
      'Notes/Log.md':
        '---\nup: "[[Tomatoes]]"\nlist:\n  - \'[[Tomatoes|it\'\'s]]\'\n---\r\n# See [[Tomatoes#Care]]\n\n| a | b |\n| --- | --- |\n| [[Tomatoes\\|t]] | ![[Tomatoes#Watr]] |\n\n`[[Tomatos]]` and [t](../Garden/Tomatoes.md "T") and [u](<Tomatoes.md>)\n[[Nowhere|some *words*]], ![[gone.png|300]] and [x](Nowhere.md)\n',
    })
    expect(done.text).toBe(
      'Fixed 7 problems in 1 note:\n- Redirect links to the notes and files that are there: 7 places',
    )
    await context.apply(await context.memory.planUndo({ id: done.changeSet!.id }))
    expect(notesOf(context)).toEqual(notes)
  })

  it('replaces links without a target with their text', async () => {
    const { after } = await fix(notes, { fixes: ['unlink'], only: ['links', 'attachments'] })
    expect(after['Notes/Log.md']).toBe(
      "---\nup: \"Tomatos\"\nlist:\n  - 'it''s'\n---\r\n# See Tomatos#Care\n\n| a | b |\n| --- | --- |\n| t | Tomatos#Watr |\n\n`[[Tomatos]]` and t and u\nsome *words*, gone.png and x\n",
    )
  })

  it('moves empty notes to the trash, quotes values of properties, and does all of it as one change', async () => {
    const { after, done } = await fix(notes, { fixes: ['trash', 'quote'] })
    const { 'Empty.md': _, ...left } = notes
    expect(after).toEqual({
      ...left,
      'Tee.md': '---\ntitle: "Tea: a \\"short\\" history"\nlist:\n  - a: "b: c"\n---\nx\n',
    })
    expect(done.changeSet!.title).toBe('Fix 2 problems in 2 notes')
  })

  it('fixes the findings with these ids, and says which it cannot fix', async () => {
    const { after, done } = await fix(
      { 'Home.md': '[[Berg]]\n[[Tomatos]]\n[[Tomatos]]\n', 'Tomatoes.md': 'x', 'Bera.md': 'x', 'Berb.md': 'x' },
      { fixes: ['redirect'], ids: ['links:Home.md:1', 'links:Home.md:3', 'links:Home.md:9'] },
    )
    expect(after['Home.md']).toBe('[[Berg]]\n[[Tomatos]]\n[[Tomatoes]]\n')
    expect(done.output.not_fixed).toEqual([
      'links:Home.md:9: There is no such problem.',
      'links:Home.md:1: Several are equally near: Bera.md, Berb.md.',
    ])
  })

  it('redirects to the nearest heading, and writes whole paths in ambiguous links', async () => {
    const { after } = await fix(
      {
        'Home.md': '[[Plan#Frist steps|x]] [a](A/Plan.md#Weather) [b](<A/Plan.md#Frist%20steps> "t") [[Plan]]\n',
        'A/Plan.md': '# First steps\n',
        'B/Plan.md': '',
      },
      { fixes: ['heading', 'path'] },
    )
    expect(after['Home.md']).toBe(
      '[[Plan#First steps|x]] [a](A/Plan.md) [b](<A/Plan.md#First%20steps> "t") [[A/Plan]]\n',
    )
  })

  it('leaves a link to a hidden note as it is', async () => {
    const hidden = { 'Home.md': '[[Diary]] [[Gone]]\n', 'Diary.md': '---\nprivate: true\n---\nx', 'Dairy.md': 'milk' }
    const { after, done } = await fix(hidden, {
      fixes: ['redirect', 'unlink'],
      ids: ['links:Home.md:1', 'links:Home.md:1.2'],
    })
    expect(after['Home.md']).toBe('[[Diary]] Gone\n')
    expect(done.output.not_fixed).toEqual(['links:Home.md:1: This link cannot be changed.'])
  })

  it('does not trash a copy that was edited after the check', async () => {
    const context = await testContext({ 'A.md': 'same', 'A (1).md': 'same' })
    const read = context.vault.read
    const late = {
      ...context,
      vault: {
        ...context.vault,
        read: async (path: NotePath) => {
          const file = await read(path)
          return file && path === 'A (1).md' ? { ...file, hash: 'other' } : file
        },
      },
    }
    const { changes } = await fixVault.plan!({ fixes: ['trash'] }, late)
    expect(changes.changes).toEqual([])
  })

  it('resolves every link it redirects and changes no other byte, for any notes', async () => {
    const names = ['Tomatoes', 'Compost heap', 'Rain (old) barrel', 'Café notes', 'A & B', 'x.y', 'Plan 2024']
    const misspelt = (name: string) => name.replace(/([a-zé])([a-z])([a-z])/, '$1$3$2')
    const link = fc
      .tuple(fc.constantFrom(...names), fc.boolean(), fc.nat(6), fc.constantFrom('', '#Part', '#Prat'))
      .map(([name, isRight, form, subpath]) => {
        const target = isRight ? name : misspelt(name)
        const encoded = `${encodeURIComponent(target).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))}.md${subpath}`
        return [
          `[[${target}${subpath}]]`,
          `[[Sub/${target}${subpath}|shown *text*]]`,
          `![[${target}${subpath}]]`,
          `[text](${encoded})`,
          `[text](<${target}.md${subpath}> "title")`,
          `\n| a |\n| --- |\n| [[${target}${subpath}\\|cell]] |\n\n`,
          `\`[[${target}]]\``,
        ][form]
      })
    const piece = fc.oneof(
      { weight: 3, arbitrary: link },
      fc.constantFrom(' text ', '\r\n', '\n\n- [ ] ', ' #tag ', '**', ' ^id\n', '\n```\n', '💡'),
    )
    const body = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 3 }), fc.nat(2), async (bodies, prefix) => {
        const front = ['', '---\nup: "[[Tomatose]]"\n---\n', '\ufeff'][prefix] ?? ''
        const before: Notes = {
          ...Object.fromEntries(names.map((name, at) => [`${at % 2 ? 'Sub/' : ''}${name}.md`, '# Part\n'])),
          ...Object.fromEntries(bodies.map((text, at) => [`Home ${at}.md`, front + text])),
        }
        const context = await testContext({ ...settings, ...before })
        const listed = await answerOf(checkVault, { only: ['links', 'headings'], limit: 500 }, context)
        await answerOf(fixVault, { fixes: ['redirect', 'heading'], only: ['links', 'headings'] }, context)
        const after = notesOf(context)
        const paths = fileNames(Object.keys(before) as NotePath[])
        for (const [path, text] of Object.entries(before)) {
          const [old, fixed] = [scanNote(text).links, scanNote(after[path] ?? '').links]
          expect(fixed).toHaveLength(old.length)
          // Between the links every character is the same.
          expect(withoutLinks(after[path] ?? '', fixed)).toBe(withoutLinks(text, old))
          for (const [at, { target, raw, line }] of old.entries()) {
            const was = resolveLink(paths, path as NotePath, target, formOf(raw))
            const is = resolveLink(paths, path as NotePath, fixed[at]!.target, formOf(fixed[at]!.raw))
            if (was !== null) expect(is).toBe(was)
            const proposed = listed.output.findings.some(
              (finding: { path: string; line: number; link: string; fixes: { kind: string }[] }) =>
                finding.path === path &&
                finding.line === line &&
                finding.link === raw &&
                finding.fixes[0]?.kind === 'redirect',
            )
            if (proposed) expect(is).not.toBe(null)
          }
        }
      }),
      { numRuns: howOften(60, 2000) },
    )
  })
})

function withoutLinks(text: string, links: readonly { start: number; end: number }[]): string {
  let [rest, from] = ['', 0]
  for (const { start, end } of [...links].sort((a, b) => a.start - b.start)) {
    rest += `${text.slice(from, start)}\0`
    from = Math.max(from, end)
  }
  return rest + text.slice(from)
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { showRequest } from '../../src/apps/cli/approval/show-request.js'
import { style } from '../../src/apps/cli/terminal/terminal.js'
import type { ApprovalRequest } from '../../src/core/approval/index.js'
import { type CaseChecks, type Check, quoted, type SecurityCase } from '../security/security-case.js'
import { withTools } from '../security/tools/tool-floor.js'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal } from './pty.js'

/** Attacks on the terminal that must fail, with the program at a real one. */
export const terminalCases: CaseChecks = {
  A05: (of) => {
    const [name, tail] = quoted(of.setup)
    const blanks = Number(/' '\*(\d+)/.exec(of.setup)![1])
    const [question] = quoted(of.setup).filter((text) => text.includes('Approve?'))
    const long = Number(/args (\d+) MB/.exec(of.setup)![1]) * 1_000_000
    const escapes = sequence(/content with (.+)$/.exec(of.setup)![1])
    const paths = [`${name}${' '.repeat(blanks)}${tail}`, `Safe.md${question}x.md`]
    return [
      ...paths.map((path) =>
        atPrompt(`write_note ${JSON.stringify(path.replace(/ {2,}/, '…'))} is refused, spelled out`, async (run) => {
          const { shown, code } = await run(['tool', 'call', 'write_note'], { path, content: 'x' })
          expect(code).toBe(2)
          expect(shown).toContain('Path must be within vault directory')
          expect(shown).not.toMatch(/^\s*Approve\? \[Y\]/m)
        }),
      ),
      ...paths.map((path) =>
        atPrompt(
          `${JSON.stringify(path.replace(/ {2,}/, '…'))} as a text to search for is shown whole, on one line`,
          async (run) => {
            const query = path.replace(/ {2,}/, ' '.repeat(300))
            const { shown, code } = await run(
              ['tool', 'call', 'vault_search', '--approvals', 'ask-all'],
              { query },
              'n\r',
            )
            expect(code).toBe(4)
            if (!query.includes('\n')) expect(unwrapped(shown)).toContain(`query: ${spelled(query)}`)
            // Behind a bar no line of it can pass for one of ours.
            else for (const line of query.split('\n')) expect(shown).toContain(`│ ${line}`)
            expect(shown).not.toMatch(/^\s*Approve\? \[Y\]/m)
          },
        ),
      ),
      atPrompt('content with escapes is shown as escapes, and Enter does not approve it', async (run, here) => {
        const content = `before ${escapes}after\n${question}\n`
        const { shown, code } = await run(['tool', 'call', 'write_note'], { path: 'Made.md', content }, '\r')
        expect(code).toBe(4)
        expect(shown).toContain('before ⟦U+001B⟧[2K')
        // A line of the note cannot pass for one of ours.
        expect(shown).not.toMatch(/^\s*Approve\? \[Y\]/m)
        await expect(here.read('Made.md')).rejects.toThrow()
      }),
      ...(['write_note', 'append_note'] as const).map((tool) => ({
        name: `${tool} with ${long} characters is shown whole`,
        run: () =>
          withTools({ 'Note.md': 'note\n' }, { answer: 'no' }, async (floor) => {
            const content = `${'word '.repeat(long / 5 - 1)}LAST\u202e`
            await floor.refused('denied', tool, { path: 'Note.md', content })
            const drawn = showRequest(floor.shown[0] as ApprovalRequest, style(true))
            expect(drawn.split('word ').length).toBeGreaterThanOrEqual(long / 5 - 1)
            expect(drawn).toContain('LAST⟦U+202E⟧')
            expect(leftovers(drawn)).toEqual([])
          }),
      })),
    ]
  },

  T01: (of) => {
    const payloads = payloadsOf(of)
    return [
      { name: 'has its payloads', run: () => expect(payloads.length).toBeGreaterThanOrEqual(9) },
      atPrompt('all of them in a note that is read, found and listed', async (run, here) => {
        const lines = payloads.map((payload) => `## Head ${payload}\n\nfindme ${payload} [[x${payload}|y]]\n`)
        const properties = payloads.map((payload, at) => `key${at}: ${JSON.stringify(payload)}\n`)
        writeFileSync(join(here.vault, 'Evil.md'), `---\n${properties.join('')}---\n${lines.join('\n')}`)
        const input = ['--input', '{"path":"Evil.md"}']
        const commands = [
          ['search', 'findme', '--passages'],
          ['links', 'Evil.md'],
          ['tool', 'call', 'read_note', ...input],
          ['tool', 'call', 'read_note', ...input, '--json'],
          ['tool', 'call', 'get_note_metadata', ...input],
          ['tool', 'call', 'list_forward_links', ...input],
          ['tool', 'call', 'vault_search', '--input', '{"query":"findme"}', '--verbose'],
          ['move', 'Evil.md', 'Good.md', '--dry-run'],
        ]
        for (const command of commands) expect((await run(command)).shown).not.toBe('')
      }),
      ...payloads.flatMap((payload) => {
        const label = spelled(payload).slice(0, 40)
        return [
          atPrompt(`${label}: in the name of a file that is asked about, and of a tool`, async (run) => {
            const named = { path: `x${payload}.md`, content: 'x' }
            await run(['tool', 'call', 'write_note'], named, 'n\r')
            await run(['tool', 'call', 'rename_note'], { path: 'Home.md', new_path: `x${payload}.md` }, 'n\r')
            await run(['tool', 'call', payload.replaceAll('\0', '')], {})
            await run(['approvals', 'add', `allow: write_note(${payload})`])
            await run(['log'])
          }),
          atPrompt(`${label}: in what is to be written, and in the arguments of a call that asks`, async (run) => {
            const { shown } = await run(
              ['tool', 'call', 'append_note'],
              { path: 'Home.md', content: `start ${payload} end` },
              'n\r',
            )
            const first = [...payload][0]
            if (first !== '\r') expect(shown.replaceAll('\n', '')).toContain(`start ${spelled(first).slice(0, -1)}`)
            await run(
              ['tool', 'call', 'get_time_range', '--approvals', 'ask-all'],
              { expression: payload.slice(0, 150) },
              'n\r',
            )
          }),
        ]
      }),
    ]
  },
}

type Run = (words: string[], input?: unknown, keys?: string) => Promise<{ shown: string; code: number | null }>

/** Runs commands at a terminal; afterwards nothing but our own colours and the prompt's own cursor moves were sent. */
function atPrompt(name: string, use: (run: Run, here: Stage) => Promise<void>): Check {
  return {
    name,
    run: async () => {
      const here = await stage()
      try {
        const run: Run = async (words, input, keys) => {
          const given = input === undefined ? [] : ['--input', JSON.stringify(input)]
          const command = [process.execPath, program, ...words, ...given, '--vault', here.vault]
          const made = atTerminal(command, here.environment)
          // A command that asks nothing has ended by then, which is equally fine.
          if (keys !== undefined)
            await made.sees(/\[[yY]\/[nN]\]/).then(
              () => made.send(keys),
              () => undefined,
            )
          const code = await made.exit()
          expect(leftovers(made.raw()), `${words.join(' ')}\n${JSON.stringify(made.raw()).slice(0, 3000)}`).toEqual([])
          return { shown: made.shown(), code }
        }
        await use(run, here)
      } finally {
        await here.remove()
      }
    },
    timeoutMs: 120_000,
  }
}

/** Control and direction characters that are neither our colours, nor the line editor's, nor line ends. */
function leftovers(raw: string): string[] {
  const ours = raw
    .replace(/\x1b\[(?:\d{1,2}(?:;\d{1,2})*)?m/g, '')
    // A program that waits for a key turns on bracketed paste.
    .replace(/\x1b\[\?2004[hl]/g, '')
    // The line editor draws its prompt; the progress bar clears its line.
    .replace(/\x1b\[\d+G\x1b\[0J/g, '')
    .replace(/\x1b\[\d+G/g, '')
    .replace(/\r\x1b\[2K/g, '')
    .replace(/\r+\n/g, '\n')
  return ours.match(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g) ?? []
}

/** Lines that were broken at a word, in one again. */
const unwrapped = (shown: string): string => shown.replace(/\n {4,}/g, ' ').replaceAll('\n', '')

function spelled(text: string): string {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return `⟦U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`
  })
}

/** The case's own list, in which control characters go by their names. */
function payloadsOf({ setup }: SecurityCase): string[] {
  const list = setup.replace(/^.*? with /, '').split(', ')
  return list.map((each) => {
    if (each === 'CR overwrite') return 'SAFE\rEVIL'
    const repeated = /^(\w+) x (\d+)$/.exec(each)
    return repeated ? sequence(repeated[1]).repeat(Number(repeated[2])) : sequence(each)
  })
}

function sequence(words: string): string {
  return words
    .replaceAll('ESC ', 'ESC')
    .replaceAll('ESC', '\x1b')
    .replace(/ ?BEL/g, '\x07')
    .replaceAll('0x9B', '\x9b')
    .replaceAll('U+202E', '\u202e')
    .replace(/ (?=\x1b)/g, '')
}

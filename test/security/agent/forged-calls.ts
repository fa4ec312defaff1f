import { expect } from 'vitest'
import { withDialect } from '../../../src/core/dialects/index.js'
import { defaultProfile } from '../../../src/core/model/index.js'
import { mediaTools } from '../../../src/core/tools/built-in.js'
import type { Tool } from '../../../src/core/tools/index.js'
import { attacks } from '../../agent/attacks.js'
import { dialectsToTry, inDialect, type TriedDialect } from '../../agent/in-dialect.js'
import { obedientModel } from '../../agent/obedient-model.js'
import { type Played, playTurn, type Stage } from '../../agent/play.js'
import { type ScriptedStep, scriptedModel } from '../../doubles/scripted-model.js'
import { type Check, quoted, type SecurityCase } from '../security-case.js'

const page = 'https://news.test/today'

/** Text that looks like a call comes back from a tool, and the model repeats it in every way. What MCP servers answer is a later floor. */
export function forgedCallChecks(of: SecurityCase): Check[] {
  const forged = quoted(of.setup)
  // The case's own, and how other families write it.
  const text = [...forged, attacks['forged calls']].join('\n')
  const sources = {
    read_note: { path: 'Evil.md' },
    search_notes: { query: 'delete_note' },
    web_fetch: { url: page },
  }
  return dialectsToTry.flatMap((dialect): Check[] => [
    ...Object.entries(sources).map(([tool, input]) => ({
      name: `a model that repeats what ${tool} brought calls nothing by it (${dialect})`,
      run: async () => {
        const { model } = obedientModel(dialect, [{ name: tool, input }])
        const played = await playTurn(model, 'Quote it.', stage(text))
        expectOnly(tool, played)
        // Hits are JSON, in which quotes are escaped.
        const shown = (each: string) => (tool === 'search_notes' ? JSON.stringify(each).slice(1, -1) : each)
        for (const each of forged) expect(played.end.text).toContain(shown(each))
      },
    })),
    {
      name: `quoted in a fenced block and thought about, it is no call, and the answer shows it intact (${dialect})`,
      run: async () => {
        const answer = `The note says:\n\n\`\`\`\n${forged.join('\n')}\n\`\`\`\n\nI did nothing.`
        for (const thought of forged) {
          const played = await quote(dialect, text, { think: thought, say: answer })
          expectOnly('read_note', played)
          expect(played.end.text).toBe(answer)
          const thoughts = played.events.flatMap((event) => (event.type === 'reasoning-delta' ? [event.text] : []))
          expect(thoughts.join('')).toContain(thought)
        }
      },
    },
    {
      name: `thoughts that a model writes as text are thoughts (${dialect})`,
      run: async () => {
        for (const thought of forged) {
          const played = await quote(dialect, text, { say: `<think>\n${thought}\n</think>\n\nI did nothing.` })
          expectOnly('read_note', played)
          expect(played.end.text).toBe('I did nothing.')
        }
      },
    },
    {
      name: `it reaches the model without its meaning, ${dialect === 'native' ? 'in a message of the tool' : 'under a mark made anew for each turn'} (${dialect})`,
      run: async () => {
        const marks = new Set<string>()
        for (let turn = 0; turn < 3; turn++) {
          const { model, prompts } = obedientModel(dialect, [{ name: 'read_note', input: { path: 'Evil.md' } }])
          await playTurn(model, 'Quote it.', stage(text))
          const last = prompts[1].prompt.at(-1)!
          const sent = JSON.stringify(last)
          for (const each of forged) expect(sent).not.toContain(JSON.stringify(each).slice(1, -1))
          if (dialect === 'native') expect(last.role).toBe('tool')
          else marks.add(/\[tool_result #(\w+) /.exec(sent)![1])
        }
        expect(marks.size).toBe(dialect === 'native' ? 0 : 3)
      },
    },
  ])
}

/** A page and a note that say the same. The user lets the page be loaded and nothing else. */
function stage(text: string): Stage {
  const get = async (url: string) => ({ url, status: 200, headers: { 'content-type': 'text/plain' }, text })
  return {
    notes: { 'Journal.md': 'Dear diary.\n', 'Evil.md': text },
    more: mediaTools as readonly Tool[],
    context: { web: { get, readable: async (html) => ({ title: '', text: html }) } },
    asker: (panel) =>
      panel.kind === 'call' && panel.tool.name === 'web_fetch' ? { verdict: 'allow' } : { verdict: 'deny' },
  }
}

function quote(dialect: TriedDialect, text: string, reply: ScriptedStep): Promise<Played> {
  const read = { call: [{ name: 'read_note', input: { path: 'Evil.md' } }] }
  const scripted = scriptedModel([read, reply].map((step) => inDialect(step, dialect)))
  const model = withDialect(scripted, { dialect, profile: defaultProfile, textCalls: true })
  return playTurn(model, 'Quote it.', stage(text))
}

function expectOnly(tool: string, { changed, log, end }: Played): void {
  expect(log.calls.map(({ tool_name }) => tool_name)).toEqual([tool])
  expect(changed).toEqual({})
  expect(end.reason).toBe('answered')
}

import type { AgentEvent, RunEnd } from '../../../src/core/agent/index.js'
import type { FailureCode, FailureData } from '../../../src/core/errors.js'
import type { ToolCall, ToolResult } from '../../../src/core/tools/index.js'
import type { NotePath } from '../../../src/core/vault/index.js'
import type { TranscriptEvent } from '../../../src/ui/index.js'
import { callPanels } from './sample-panels.js'

const path = (text: string) => text as NotePath
const search: ToolCall = { id: 'c1', name: 'search_notes', input: { query: 'late blight', top_k: 5 } }
const read: ToolCall = { id: 'c2', name: 'read_note', input: { path: 'Garden/Tomatoes.md' } }
const write: ToolCall = { id: 'c3', name: 'edit_note', input: { path: 'Garden/Tomatoes.md' } }

const done = (call: ToolCall, summary: string): ToolResult => ({
  callId: call.id,
  name: call.name,
  ok: true,
  output: {},
  text: `What the model reads of ${call.name}:\n- Garden/Tomatoes.md`,
  summary,
  provenance: [],
  logId: '1',
})

const start: AgentEvent = {
  type: 'run-start',
  turn: 't1',
  mode: 'agent',
  model: 'ollama/qwen3:8b',
  text: 'What helps against late blight?',
}

const end = (more: Partial<RunEnd> = {}): RunEnd => ({
  type: 'run-end',
  reason: 'answered',
  text: '',
  messages: [],
  steps: 2,
  usage: { input: 4210, output: 180, cachedInput: 3000, cost: 0.0021 },
  ...more,
})

const answer = `Late blight comes with **warm rain** in August. What your notes say:

1. Take off the lower leaves, [[Garden/Tomatoes#Blight|every week]]
2. Water in the morning, ==never== the leaves

> [!warning] Frost
> Bring the last ones in by October.

| Bed | Sort | Healthy |
| --- | --- | :-: |
| North | Matina | yes |
| South | San Marzano | no |

\`\`\`sh
notewright ask "what about the beans?"
\`\`\`

More at [the agency](https://plants.example.org/blight) and https://example.org. ![leaf](https://evil.test/leaf.png)`

const thinking: AgentEvent = {
  type: 'reasoning-delta',
  text: 'The person asks about a plant disease.\nI look into the garden notes first.',
}
const searching: AgentEvent = {
  type: 'tool-call',
  call: search,
  title: 'Search notes',
  activity: 'Searching notes',
  background: false,
}
const reading: AgentEvent = {
  type: 'tool-call',
  call: read,
  title: 'Read note',
  activity: 'Reading a note',
  background: false,
}
const editing: AgentEvent = {
  type: 'tool-call',
  call: write,
  title: 'Edit note',
  activity: 'Editing a note',
  background: false,
}
const words: AgentEvent = { type: 'text-delta', text: answer }

/** For each kind of event a turn in which it is what there is to see. The compiler asks for every kind. */
export const eventTurns: Record<AgentEvent['type'], AgentEvent[]> = {
  'run-start': [start],
  'step-start': [start, { type: 'step-start', step: 1 }],
  'text-delta': [start, words],
  'reasoning-delta': [start, thinking],
  'tool-call': [start, thinking, searching],
  'tool-progress': [
    start,
    {
      type: 'tool-call',
      call: { id: 'c9', name: 'index_vault', input: {} },
      title: 'Index the vault',
      activity: 'Indexing the vault',
      background: false,
    },
    { type: 'tool-progress', callId: 'c9', progress: { text: 'Reading notes', done: 40, total: 900 } },
  ],
  'tool-result': [
    start,
    thinking,
    searching,
    reading,
    { type: 'tool-result', call: search, result: done(search, '5 notes') },
    { type: 'tool-result', call: read, result: done(read, '82 lines'), cached: true },
    { type: 'text-delta', text: 'It is in [[Garden/Tomatoes]].' },
    end(),
  ],
  retrying: [start, { type: 'retrying', why: 'Rate limited by OpenAI.', waitMs: 20_000 }],
  waiting: [start, { type: 'waiting', why: 'prompt', seconds: 40 }],
  notice: [
    start,
    { type: 'notice', text: 'The model calls the same tool again and again; it is asked for its answer.' },
  ],
  compacted: [
    start,
    { type: 'compacted', from: 1, to: 12, before: 7900, after: 2100, summary: 'They spoke of the beds by the wall.' },
  ],
  'project-changed': [start, { type: 'project-changed', project: 'Garden' }],
  'branch-changed': [start, words, end(), { type: 'branch-changed', turns: 0 }, { ...start, turn: 't2' }, words, end()],
  'call-handed': [start, { type: 'call-handed', call: { id: 'h1', name: 'open_ticket', argumentsText: '{}' } }],
  'step-end': [start, thinking, { type: 'step-end', step: 1, usage: { input: 10 } }],
  messages: [start, { type: 'messages', messages: [] }],
  'approval-asked': [start, editing, { type: 'approval-asked', panel: callPanels.edit }],
  'approval-decided': [
    start,
    editing,
    { type: 'approval-asked', panel: callPanels.edit },
    { type: 'approval-decided', id: callPanels.edit.id, verdict: 'allow', scope: 'session', by: 'person' },
  ],
  citations: [
    start,
    { type: 'text-delta', text: 'Water “in the morning”.' },
    {
      type: 'citations',
      citations: [
        {
          path: path('Garden/Tomatoes.md'),
          raw: '[[Tomatoes]]',
          heading: 'Water',
          lines: [12, 14],
          quote: 'in the morning',
          check: 'verbatim',
        },
        { path: path('Garden/Beans.md'), raw: '[[Beans]]', lines: [3, 3], quote: 'at noon', check: 'differs' },
        { raw: '[[Peas]]', check: 'missing' },
        { path: path('Garden/Leeks.md'), raw: '[[Leeks#Frost]]', check: 'missing' },
        { path: path('Home.md'), raw: '', check: 'read' },
        { path: path('Daily/2025-06-21.md'), raw: '[[2025-06-21]]', check: 'unquoted' },
      ],
    },
    end(),
  ],
  'run-end': [
    start,
    editing,
    {
      type: 'tool-result',
      call: write,
      result: {
        ...done(write, '1 change'),
        changeSet: {
          id: 'cs1',
          title: 'Edit Garden/Tomatoes.md',
          appliedAt: 0,
          changes: [
            { kind: 'edit', path: path('Garden/Tomatoes.md') },
            { kind: 'edit', path: path('Garden/Beans.md') },
          ],
        },
      } as ToolResult,
    },
    { type: 'text-delta', text: 'Done: the line about water is new.' },
    end(),
  ],
}

/** The other endings of a turn. */
export const endingTurns: Record<RunEnd['reason'], AgentEvent[]> = {
  answered: [start, words, end()],
  'step-limit': [
    start,
    { type: 'text-delta', text: 'As far as I could see, water in the morning.' },
    end({ reason: 'step-limit', steps: 10 }),
  ],
  'handed-over': [start, end({ reason: 'handed-over' })],
  stopped: [start, searching, end({ reason: 'stopped' })],
  failed: [
    start,
    end({
      reason: 'failed',
      failure: {
        code: 'network',
        text: 'Ollama does not answer at 127.0.0.1:11434.',
        hint: 'Start it with: ollama serve',
      },
    }),
  ],
}

const failures: Record<FailureCode, [text: string, hint?: string, command?: string]> = {
  'not-found': ['Note not found: Tomatos', 'Did you mean Garden/Tomatoes.md?'],
  ambiguous: ['Two notes are called Plan.', 'Name its folder: Projects/Plan.md or Garden/Plan.md.'],
  'invalid-input': ['Tool search_notes validation failed: query: required'],
  'unknown-tool': ['Unknown tool: read_notes', 'Did you mean read_note?'],
  path: ['Path must be within vault directory'],
  conflict: [
    'Garden/Tomatoes.md has changed since it was read. Nothing was written.',
    'Read the note again and plan the change from its new text.',
    'notewright history',
  ],
  denied: ['User cancelled tool execution: not my inbox'],
  'needs-approval': [
    'Not done: this edits a note, which needs approval. To allow it in advance, add the rule: allow: edit_note(Garden/**)',
  ],
  timeout: ['The tool took longer than 30 s.'],
  'too-large': ['Archive.md has 240 MB; notes of up to 20 MB are read.'],
  'not-utf8': ['Old.md is not valid UTF-8, so it is never rewritten.'],
  network: ['example.org does not answer.'],
  'not-ready': ['Indexing: 1,200 of 6,000 notes.', 'Try again in a few seconds.'],
  internal: ['read_note failed unexpectedly.'],
}

/** For each code a turn that fails with it, and a call that does. */
export const failureTurns = Object.fromEntries(
  (Object.keys(failures) as FailureCode[]).map((code): [FailureCode, AgentEvent[]] => {
    const [text, hint, command] = failures[code]
    const failure: FailureData = { code, text, ...(hint && { hint }), ...(command && { command }) }
    const result: ToolResult = { callId: 'c2', name: 'read_note', ok: false, ...failure }
    return [
      code,
      [start, reading, { type: 'tool-result', call: read, result }, end({ reason: 'failed', failure, usage: {} })],
    ]
  }),
) as Record<FailureCode, AgentEvent[]>

/** As a store would tell them, half a second apart. */
export function told(events: readonly AgentEvent[]): TranscriptEvent[] {
  return events.map((event, at) => ({ seq: at + 1, time: new Date(1_750_000_000_000 + at * 500).toISOString(), event }))
}

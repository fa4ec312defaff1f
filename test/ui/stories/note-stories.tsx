import type { HistoryEntry, NotePath, UndoConflict } from '../../../src/core/vault/index.js'
import {
  ActivityView,
  CheckView,
  NoteRail,
  NoteView,
  type SearchFilter,
  SearchView,
  UndoView,
} from '../../../src/ui/index.js'
import { sampleActivity } from './sample-activity.js'
import type { Story } from './stories.js'

const beans = 'Garden/Beans.md' as NotePath

const conflicts: UndoConflict[] = [
  {
    path: beans,
    line: 4,
    why: 'was edited later',
    scope: 'lines',
    mine: ['- leeks and onions\n', '- beans\n'],
    earlier: ['- peas\n'],
  },
  { path: 'Old.md' as NotePath, line: 1, why: 'no longer exists', scope: 'note', mine: [], earlier: ['# Old\n'] },
]

const inTheWay = {
  failure: {
    code: 'conflict' as const,
    text: 'Garden/Beans.md was edited later, so undoing would lose later work. The same applies to 1 more place.',
    hint: 'Compare the versions and choose what to keep in each place, or undo the later change first.',
    data: { conflicts },
  },
}

const diff = '--- a/Garden/Beans.md\n+++ b/Garden/Beans.md\n@@ -1,3 +1,3 @@\n # Beans\n \n-- leeks\n+- peas\n'

const undecided: HistoryEntry = {
  id: 'c0',
  time: Date.parse('2026-01-05T09:00:00.000Z'),
  title: 'Move Leeks to Garden/Beans',
  state: 'undecided',
  unsettled: { went: 'taken-back', notes: [beans, 'a \u202egnp.md' as NotePath] },
  changes: [{ kind: 'edit', path: beans }],
  undoes: [],
}

const tooLate = {
  failure: {
    code: 'not-found' as const,
    text: `The journal no longer has this version of ${beans}.`,
    hint: 'Keep the note as it is.',
  },
}

const undo = (name: string, isInTheWay: boolean): Story => ({
  name,
  draw: () => (
    <UndoView
      ids={['one', 'two']}
      plan={async (_id, settle) => {
        if (isInTheWay && settle === undefined) throw inTheWay
        if (settle) globalThis.answers.push(settle)
        return {
          title: 'Undo: Append to Garden/Beans.md',
          merged: [beans],
          changes: [{ kind: 'edit' as const, path: beans, diff }],
        }
      }}
      apply={async () => undefined}
      onDone={() => {}}
    />
  ),
})

const hit = {
  path: beans,
  title: 'Beans',
  heading: 'Soil',
  lines: [3, 4] as [number, number],
  preview: 'Beans climb poles and fix nitrogen.',
  score: 0.75,
  why: {
    contentTerms: ['bean'],
    passageWords: 7.6,
    noteWords: 5.3,
    passageMeaning: 0.4,
    noteMeaning: -0.2,
    name: 0,
    terms: { bean: 2 },
  },
}

const search = (
  name: string,
  words: string,
  hits: (typeof hit)[],
  freshness: 'fresh' | 'catching up (3 left)',
  filters: SearchFilter[] = [],
): Story => ({
  name,
  draw: () => (
    <SearchView
      query={{ words, filters }}
      answer={words === '' ? undefined : { query: words, freshness, words: [words], hits }}
      onQuery={() => {}}
    />
  ),
})

/** Stories of notes: search results, a note opened at a line, and undo. */
export const noteStories: Story[] = [
  search('search: nothing typed', '', [], 'fresh'),
  search('search: found', 'beans', [hit, { ...hit, path: 'Kitchen/Beans.md' as NotePath, heading: 'Beans' }], 'fresh'),
  search('search: nothing found yet', 'zinnias', [], 'catching up (3 left)'),
  search('search: with filters', 'beans', [hit], 'fresh', [
    { kind: 'tag', value: 'garden' },
    { kind: 'folder', value: 'Garden' },
  ]),
  {
    name: 'note: what belongs to it',
    draw: () => (
      <NoteRail
        headings={[
          { level: 1, text: 'Beans', line: 1 },
          { level: 2, text: 'Soil', line: 3 },
          { level: 2, text: 'Poles', line: 6 },
        ]}
        backlinks={[{ path: 'Home.md', title: 'Home', line: 2, text: '- See [[Beans]] for poles', label: 'Beans' }]}
        backlinkCount={3}
        links={[
          { path: 'Nitrogen.md', title: 'Nitrogen' },
          { path: null, title: 'Not written' },
        ]}
        related={[{ path: 'Peas.md' as NotePath, title: 'Peas', reasons: ['Both are about nitrogen'] }]}
        onHeading={() => {}}
      />
    ),
  },
  {
    name: 'note: at a quotation',
    draw: () => (
      <NoteView
        note={{
          path: beans,
          title: 'Beans',
          tags: ['garden'],
          properties: { status: 'done', sown: ['April', 'May'] },
          headings: [
            { level: 1, text: 'Beans', line: 1 },
            { level: 2, text: 'Soil', line: 3 },
            { level: 2, text: 'Poles', line: 6 },
          ],
          text: '# Beans\n\n## Soil\nThey fix [[Nitrogen|nitrogen]]\nin the ground.\n## Poles\n> [!tip] In spring\n> Put them up first.\n',
          bodyAt: 0,
        }}
        place={{ lines: [4, 5], quotes: ['They fix nitrogen in the ground.'] }}
      />
    ),
  },
  {
    name: 'activity: notes to decide about',
    draw: () => (
      <ActivityView
        activity={{ ...sampleActivity, undecided: [undecided] }}
        planDecision={async (_id, note, how) => {
          if (how === 'finish') throw tooLate
          const changes = how === 'keep' ? [] : [{ kind: 'edit' as const, path: note, diff }]
          return { changes, apply: async () => globalThis.answers.push([note, how]) }
        }}
        onLookAgain={() => {}}
        onUndo={() => {}}
        onReview={() => {}}
      />
    ),
  },
  {
    name: 'check: problems of the vault',
    draw: () => (
      <CheckView
        check={async () => ({
          groups: [
            {
              kind: 'links',
              title: 'Links to missing notes',
              total: 31,
              findings: [
                {
                  id: 'links:Home.md:3',
                  kind: 'links',
                  path: 'Home.md',
                  line: 3,
                  link: '[[Baens]]',
                  problem: 'There is no note Baens.',
                  fixes: [
                    { kind: 'redirect', title: 'Link to Beans.md' },
                    { kind: 'unlink', title: 'Replace the link with its text' },
                  ],
                },
                {
                  id: 'links:Home.md:4',
                  kind: 'links',
                  path: 'Home.md',
                  line: 4,
                  link: '[[Berg]]',
                  problem: 'There is no note Berg.',
                  fixes: [],
                  near: ['Bera.md', 'Berb.md'],
                },
              ],
            },
            {
              kind: 'orphans',
              title: 'Notes without any link',
              total: 1,
              findings: [{ id: 'orphans:Soil.md', kind: 'orphans', path: 'Soil.md', problem: '', fixes: [] }],
            },
          ],
          fixTitles: {
            redirect: 'Redirect links',
            heading: 'Redirect headings',
            path: 'Write whole paths',
            quote: 'Put values in quotes',
            trash: 'Move to the trash',
            unlink: 'Replace links with their text',
          },
        })}
        plan={async () => ({ title: 'Redirect 1 link', changes: [{ kind: 'edit', path: beans, diff }], left: [] })}
        apply={async (plan) => globalThis.answers.push(plan.title)}
      />
    ),
  },
  undo('undo: a plan', false),
  undo('undo: places edited since', true),
]

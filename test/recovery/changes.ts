import type { ChangeSet } from '../../src/core/vault/index.js'
import { append, create, edit, move, set, trash } from '../contracts/vault/index.js'

/** A hub, notes that link to it, and one that nothing happens to. */
export const before: Record<string, string> = {
  'hub.md': 'the hub\n',
  'a.md': 'see [[hub]]\n',
  'b.md': 'also [[hub]]\n',
  'f/c.md': '[[hub]] too\n',
  'other.md': 'nothing happens to this\n',
}

interface Made {
  changes(): ChangeSet
  /** The files that differ after the change; undefined: no file. */
  after: Record<string, string | undefined>
  /** The two names of a note that is moved as it is. */
  moves?: [from: string, to: string]
  /** The two names of a note that is moved and rewritten: undoing takes later edits of it along. */
  rewrites?: [from: string, to: string]
}

const linked = { 'a.md': 'see [[moved]]\n', 'b.md': 'also [[moved]]\n', 'f/c.md': '[[moved]] too\n' }
const links = Object.entries(linked).map(([path, text]) => edit(path, before[path], text))

export const made: Record<string, Made> = {
  rename: {
    changes: () => set([move('hub.md', 'new/moved.md', 'the hub\n'), ...links]),
    after: { 'hub.md': undefined, 'new/moved.md': 'the hub\n', ...linked },
    moves: ['hub.md', 'new/moved.md'],
  },
  'links first, then the move': {
    changes: () => set([...links, move('hub.md', 'moved.md', 'the hub\n')]),
    after: { 'hub.md': undefined, 'moved.md': 'the hub\n', ...linked },
    moves: ['hub.md', 'moved.md'],
  },
  'rename and rewrite': {
    changes: () => set([move('hub.md', 'moved.md', 'the hub\n'), edit('moved.md', 'the hub\n', 'I moved\n'), ...links]),
    after: { 'hub.md': undefined, 'moved.md': 'I moved\n', ...linked },
    rewrites: ['hub.md', 'moved.md'],
  },
  edit: {
    changes: () => set([edit('a.md', before['a.md'], 'A\n'), edit('b.md', before['b.md'], 'B\n')]),
    after: { 'a.md': 'A\n', 'b.md': 'B\n' },
  },
  append: { changes: () => set([append('a.md', 'more\n')]), after: { 'a.md': 'see [[hub]]\nmore\n' } },
  delete: {
    changes: () => set([trash('b.md', before['b.md']), edit('a.md', before['a.md'], 'A\n')]),
    after: { 'b.md': undefined, '.trash/b.md': before['b.md'], 'a.md': 'A\n' },
  },
  create: {
    changes: () => set([create('new/deep/n.md', 'fresh\n'), edit('a.md', before['a.md'], 'A\n')]),
    after: { 'new/deep/n.md': 'fresh\n', 'a.md': 'A\n' },
  },
  'folder move': {
    changes: () => ({
      ...set([move('f/c.md', 'g/c.md', before['f/c.md']), edit('a.md', before['a.md'], 'A\n')]),
      emptied: ['f'],
    }),
    after: { 'f/c.md': undefined, 'g/c.md': before['f/c.md'], 'a.md': 'A\n' },
    moves: ['f/c.md', 'g/c.md'],
  },
}

import { fact, report } from '../model/answers.js'
import { append, daily, edit, read, rename, search } from '../model/steps.js'
import type { Task } from './task.js'

export const steps: readonly Task[] = [
  {
    name: 'steps-move-and-note',
    kind: 'steps',
    vault: 'garden',
    ask: 'Move Plum Jam into the folder Preserves and note that in my Inbox as "- moved the jam".',
    steps: [rename('Recipes/Plum Jam.md', 'Preserves/Plum Jam.md'), append('Inbox.md', '- moved the jam')],
    answer: report('Both done.'),
    expects: {
      notes: {
        'Recipes/Plum Jam.md': null,
        'Preserves/Plum Jam.md': [/cinnamon/],
        'Inbox.md': [{ once: '- moved the jam' }],
      },
    },
  },
  {
    name: 'steps-two-facts',
    kind: 'steps',
    vault: 'garden',
    ask: 'When is the last frost, and when do I sow tomatoes?',
    steps: [read('Garden/Weather.md'), read('Garden/Tomatoes.md')],
    answer: fact(/Last frost was on (9 May)[\s\S]*(14 March)/, 'Frost until $1, sow on $2.', 'Garden/Tomatoes.md'),
    expects: { says: [/9 May/, /14 March/], calls: ['read_note', 'search_notes'] },
  },
  {
    name: 'steps-carry-over',
    kind: 'steps',
    vault: 'garden',
    ask: "Find the roofer's telephone number and write it into House/Plan.md.",
    steps: [search('roofer telephone', /0151/), append('House/Plan.md', 'Roofer: 0151 445 566')],
    answer: report('It stands in the plan.'),
    expects: { notes: { 'House/Plan.md': [{ once: '0151 445 566' }] } },
  },
  {
    name: 'steps-many-meetings',
    kind: 'steps',
    vault: 'office',
    ask: 'Read the meetings 11, 14 and 19 and tell me what was decided in each.',
    steps: [
      read('Meetings/Meeting 11.md', /Atelier Brun/),
      read('Meetings/Meeting 14.md', /Norddeutsche/),
      read('Meetings/Meeting 19.md', /24 December/),
    ],
    // The first results may have been trimmed; a model reports what it still sees.
    answer: ({ material }) => {
      const found = ['Atelier Brun', 'Norddeutsche Fracht', '24 December'].filter((name) => material.includes(name))
      return `${found.join('; ')} [[Meetings/Meeting 19]]`
    },
    expects: { says: [/24 December/], calls: ['read_note'] },
  },
  {
    name: 'steps-decision-to-supplier',
    kind: 'steps',
    vault: 'office',
    ask: 'How many copies of the catalogue are printed? Add that to the note of the printers.',
    steps: [
      search('catalogue printed copies', /4,000 copies/, 'Decision catalogue printed by Atelier Brun'),
      append('Suppliers/Atelier Brun.md', 'Catalogue: 4,000 copies.'),
    ],
    answer: report('Four thousand; it stands in their note.'),
    expects: { notes: { 'Suppliers/Atelier Brun.md': [{ once: '4,000 copies' }] } },
  },
  {
    name: 'steps-conversation',
    kind: 'steps',
    vault: 'office',
    before: [
      {
        ask: 'What does the Handbook say about training?',
        steps: [search('training handbook'), read('Handbook.md')],
        answer: () => 'It says that the old way stays in place. [[Handbook]]',
      },
      {
        ask: 'And what was said about packaging in the meetings?',
        steps: [search('packaging meetings'), read('Meetings/Meeting 2.md')],
        answer: () => 'Nothing was settled. [[Meetings/Meeting 2]]',
      },
    ],
    ask: 'Thanks. Who is the contact at Kartonwerk?',
    steps: [search('Kartonwerk contact', /Petra Sommer/), read('Suppliers/Kartonwerk.md')],
    answer: fact(/Petra Sommer/, 'It is $0.', 'Suppliers/Kartonwerk.md'),
    expects: { says: [/Petra Sommer/], calls: ['search_notes', 'read_note'] },
  },
  {
    name: 'steps-edit-and-daily',
    kind: 'steps',
    vault: 'garden',
    ask: 'The secateurs have their new spring: correct the note Tools and mention it in the daily note.',
    steps: [
      read('Garden/Tools.md'),
      edit('Garden/Tools.md', 'Felco 2, new spring needed', 'Felco 2, with a new spring'),
      daily('- secateurs repaired'),
    ],
    answer: report('Both are done.'),
    expects: {
      notes: {
        'Garden/Tools.md': [/Felco 2, with a new spring/],
        'Daily/2024-01-15.md': [{ once: '- secateurs repaired' }],
      },
    },
  },
]

import { report } from '../model/answers.js'
import { append, daily, edit, property, read, rename, search, tag } from '../model/steps.js'
import type { Task } from './task.js'

const edits: readonly Task[] = [
  {
    name: 'edit-tiles',
    kind: 'edit',
    vault: 'garden',
    ask: 'In my note Roof it must be twelve tiles, not eleven. Correct it.',
    steps: [read('House/Roof.md'), edit('House/Roof.md', 'eleven tiles', 'twelve tiles')],
    answer: report('It says twelve tiles now.'),
    expects: { notes: { 'House/Roof.md': [/replaced twelve tiles/] } },
  },
  {
    name: 'edit-pie',
    kind: 'edit',
    vault: 'garden',
    ask: 'The leek pie needs 45 minutes. Change the recipe.',
    steps: [
      search('leek pie recipe'),
      read('Recipes/Leek Pie.md'),
      edit('Recipes/Leek Pie.md', '40 minutes', '45 minutes'),
    ],
    answer: report('The recipe says 45 minutes now.'),
    expects: { notes: { 'Recipes/Leek Pie.md': [/Bake for 45 minutes at 180/] } },
  },
  {
    name: 'edit-remove-line',
    kind: 'edit',
    vault: 'garden',
    ask: 'I have bought twine: take that line out of the Inbox.',
    steps: [read('Inbox.md'), edit('Inbox.md', '- buy twine\n', '')],
    answer: report('The line is gone.'),
    expects: { notes: { 'Inbox.md': [{ not: /twine/ }, /ask Wen/, /## Later/] } },
  },
  {
    name: 'edit-check-off',
    kind: 'edit',
    vault: 'office',
    ask: 'Tick off "new pictures" in the project Web Shop.',
    steps: [
      search('web shop project open pictures'),
      read('Projects/Web Shop.md', /new pictures/),
      edit('Projects/Web Shop.md', '- [ ] new pictures', '- [x] new pictures'),
    ],
    answer: report('It is ticked off.'),
    expects: { notes: { 'Projects/Web Shop.md': [/- \[x\] new pictures/, /- \[ \] terms in French/] } },
  },
  {
    name: 'edit-deadline',
    kind: 'edit',
    vault: 'office',
    ask: 'The deadline for texts of the catalogue has moved to 1 March. Write that into its note.',
    steps: [
      search('catalogue deadline texts'),
      read('Projects/Catalogue.md', /15 February/),
      edit('Projects/Catalogue.md', '15 February', '1 March'),
    ],
    answer: report('The deadline is 1 March now.'),
    expects: { notes: { 'Projects/Catalogue.md': [/deadline for texts is 1 March/] } },
  },
  {
    name: 'edit-deep',
    kind: 'edit',
    vault: 'office',
    ask: 'In the Handbook travel is now booked by Lucie instead of Tomasz. Please correct it.',
    steps: [
      search('travel booked ahead Tomasz handbook', /booked at least ten days ahead by Tomasz/),
      read('Handbook.md', /ten days ahead by Tomasz/),
      edit('Handbook.md', 'ten days ahead by Tomasz', 'ten days ahead by Lucie'),
    ],
    answer: report('The Handbook names Lucie now.'),
    expects: { notes: { 'Handbook.md': [/ten days ahead by Lucie/] } },
  },
]

const appends: readonly Task[] = [
  {
    name: 'append-inbox',
    kind: 'append',
    vault: 'garden',
    ask: 'Add "- call Mr Okafor" to my Inbox.',
    steps: [append('Inbox.md', '- call Mr Okafor')],
    answer: report('It is in your Inbox.'),
    expects: {
      notes: { 'Inbox.md': [{ once: '- call Mr Okafor' }] },
    },
  },
  {
    name: 'append-section',
    kind: 'append',
    vault: 'garden',
    ask: 'Put "Soap water works too." under Pests in the note Roses.',
    steps: [append('Garden/Roses.md', 'Soap water works too.', 'Pests')],
    answer: report('It stands under Pests.'),
    expects: { notes: { 'Garden/Roses.md': [/## Pests[\s\S]*Soap water works too\.\n*$/, { once: 'Soap water' }] } },
  },
  {
    name: 'append-found',
    kind: 'append',
    vault: 'garden',
    ask: 'Note with the person who is allergic to hazelnuts: "Also allergic to walnuts."',
    steps: [search('allergic hazelnuts'), append('People/Ingrid.md', 'Also allergic to walnuts.')],
    answer: report('I added it to Ingrid.'),
    expects: { notes: { 'People/Ingrid.md': [{ once: 'Also allergic to walnuts.' }, /hazelnuts/] } },
  },
  {
    name: 'append-open',
    kind: 'append',
    vault: 'office',
    ask: 'Add "- [ ] fire safety" under Open in Warehouse.',
    steps: [append('Projects/Warehouse.md', '- [ ] fire safety', 'Open')],
    answer: report('It is on the list.'),
    expects: {
      notes: {
        'Projects/Warehouse.md': [/- \[ \] insurance\n+- \[ \] fire safety[\s\S]*## People/, { once: 'fire safety' }],
      },
    },
  },
  {
    name: 'append-contact',
    kind: 'append',
    vault: 'office',
    ask: 'Write down for the supplier of boxes: "Next order in May."',
    steps: [search('supplier boxes sizes'), append('Suppliers/Kartonwerk.md', 'Next order in May.')],
    answer: report('It is noted with Kartonwerk.'),
    expects: { notes: { 'Suppliers/Kartonwerk.md': [{ once: 'Next order in May.' }] } },
  },
]

const renames: readonly Task[] = [
  {
    name: 'rename-tomatoes',
    kind: 'rename',
    vault: 'garden',
    ask: 'Rename the note Tomatoes to Love Apples.',
    steps: [rename('Garden/Tomatoes.md', 'Garden/Love Apples.md')],
    answer: report('It is called Love Apples now.'),
    expects: {
      notes: {
        'Garden/Tomatoes.md': null,
        'Garden/Love Apples.md': [/Black Krim/],
        'Garden/Bees.md': [/\[\[Love Apples\]\]/],
      },
    },
  },
  {
    name: 'rename-move',
    kind: 'rename',
    vault: 'garden',
    ask: 'Move the note about the roof into the folder Archive.',
    steps: [search('roof tiles roofer'), rename('House/Roof.md', 'Archive/Roof.md')],
    answer: report('It is in Archive.'),
    expects: { notes: { 'House/Roof.md': null, 'Archive/Roof.md': [/Okafor/] } },
  },
  {
    name: 'rename-ingrid',
    kind: 'rename',
    vault: 'garden',
    ask: 'Ingrid has married: her note is to be called Ingrid Solberg.',
    steps: [rename('People/Ingrid.md', 'People/Ingrid Solberg.md')],
    answer: report('Done.'),
    expects: {
      notes: {
        'People/Ingrid.md': null,
        'People/Ingrid Solberg.md': [/dahlias/],
        'People/Wen.md': [/\[\[Ingrid Solberg\]\]/],
      },
    },
  },
  {
    name: 'rename-supplier',
    kind: 'rename',
    vault: 'office',
    ask: 'The printers Atelier Brun are now Brun & Fils. Rename their note.',
    steps: [search('Atelier Brun printers Lyon'), rename('Suppliers/Atelier Brun.md', 'Suppliers/Brun & Fils.md')],
    answer: report('Renamed.'),
    expects: {
      notes: {
        'Suppliers/Atelier Brun.md': null,
        'Suppliers/Brun & Fils.md': [/Odile Marchand/],
        'Index.md': [/\[\[Brun & Fils\]\]/],
      },
    },
  },
]

const tags: readonly Task[] = [
  {
    name: 'tag-heating',
    kind: 'tag',
    vault: 'garden',
    ask: 'Give the note Heating the tag winter.',
    steps: [tag('House/Heating.md', { add: 'winter' }, ['tags: [house]', 'tags: [house, winter]'])],
    answer: report('It has the tag winter.'),
    expects: { notes: { 'House/Heating.md': [/tags:[^#]*house[^#]*winter/, /1\.5 bar/] } },
  },
  {
    name: 'tag-pie',
    kind: 'tag',
    vault: 'garden',
    ask: 'Tag the pie recipe with vegetarian.',
    steps: [
      search('pie recipe'),
      tag('Recipes/Leek Pie.md', { add: 'vegetarian' }, ['tags: [recipe]', 'tags: [recipe, vegetarian]']),
    ],
    answer: report('Tagged.'),
    expects: { notes: { 'Recipes/Leek Pie.md': [/tags:[^#]*recipe[^#]*vegetarian/] } },
  },
  {
    name: 'tag-remove',
    kind: 'tag',
    vault: 'garden',
    ask: 'Take the tag soil off the note Compost.',
    steps: [tag('Garden/Compost.md', { remove: 'soil' }, ['tags: [garden, soil]', 'tags: [garden]'])],
    answer: report('The tag is gone.'),
    expects: { notes: { 'Garden/Compost.md': [/tags:[^#]*garden/, { not: /soil/ }] } },
  },
  {
    name: 'tag-status',
    kind: 'tag',
    vault: 'garden',
    ask: 'Set the status of the note Potatoes to planted.',
    steps: [property('Garden/Potatoes.md', 'status', 'planted', ['status: planned', 'status: planted'])],
    answer: report('The status is planted.'),
    expects: { notes: { 'Garden/Potatoes.md': [/status: planted/, /tags: \[garden\]/] } },
  },
  {
    name: 'tag-supplier',
    kind: 'tag',
    vault: 'office',
    ask: 'Tag Kartonwerk with expensive.',
    steps: [tag('Suppliers/Kartonwerk.md', { add: 'expensive' }, ['tags: [supplier]', 'tags: [supplier, expensive]'])],
    answer: report('Tagged.'),
    expects: { notes: { 'Suppliers/Kartonwerk.md': [/tags:[^#]*supplier[^#]*expensive/, /rating: 2/] } },
  },
]

const dailies: readonly Task[] = [
  {
    name: 'daily-today',
    kind: 'daily',
    vault: 'garden',
    ask: "Write into today's daily note: planted the garlic.",
    steps: [daily('- planted the garlic')],
    answer: report('It is in your daily note.'),
    expects: { notes: { 'Daily/2024-01-15.md': [{ once: '- planted the garlic' }] } },
  },
  {
    name: 'daily-yesterday',
    kind: 'daily',
    vault: 'garden',
    ask: "Put into yesterday's daily note that Wen called.",
    steps: [daily('- Wen called', '2024-01-14')],
    answer: report('Noted for yesterday.'),
    expects: { notes: { 'Daily/2024-01-14.md': [{ once: '- Wen called' }] } },
  },
  {
    name: 'daily-found',
    kind: 'daily',
    vault: 'garden',
    ask: "Look up when Ingrid's birthday is and put it into today's daily note.",
    steps: [search('Ingrid birthday', /27 August/), daily('- Ingrid: 27 August')],
    answer: report('It is in the daily note.'),
    expects: { notes: { 'Daily/2024-01-15.md': [{ once: '27 August' }] }, calls: ['search_notes', 'read_note'] },
  },
  {
    name: 'daily-office',
    kind: 'daily',
    vault: 'office',
    ask: 'Start my daily note with "- prepare meeting 25".',
    steps: [daily('- prepare meeting 25')],
    answer: report('Done.'),
    expects: { notes: { 'Daily/2024-01-15.md': [{ once: 'prepare meeting 25' }] } },
  },
]

export const changes: readonly Task[] = [...edits, ...appends, ...renames, ...tags, ...dailies]

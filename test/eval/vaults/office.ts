const topics = [
  'the new warehouse',
  'delivery times',
  'the spring catalogue',
  'returns',
  'the price list',
  'training',
  'the web shop',
  'packaging',
]

const sentences = [
  'The numbers of the last quarter were shown and nobody was surprised by them.',
  'It was agreed to look at it again when the suppliers have answered.',
  'Two people were of the opinion that this should have been settled long ago.',
  'The draft goes round by mail and everyone writes their remarks into it.',
  'What it costs is not clear yet, since the offers cannot be compared.',
  'Someone will ask the colleagues in Porto how they have done it.',
  'The old way of doing it stays in place until then.',
  'There were questions about who signs and who only needs to be told.',
]

/** A paragraph that says little about a topic, the same every time. */
function talk(topic: string, at: number, length = 6): string {
  const said = Array.from({ length }, (_, index) => sentences[(at * 3 + index) % sentences.length])
  return `About ${topic}: ${said.join(' ')}`
}

/** Decisions by meeting; the rest of each note is filler. */
const decisions: Readonly<Record<number, string>> = {
  3: 'Decision: the warehouse in Lille is rented from 1 September.',
  7: 'Decision: returns are free for thirty days.',
  11: 'Decision: the catalogue is printed by Atelier Brun, 4,000 copies.',
  14: 'Decision: parcels are sent with Norddeutsche Fracht from now on.',
  19: 'Decision: the web shop is closed on 24 December at noon.',
}

function meeting(number: number): string {
  const paragraphs = topics.slice(0, 5).map((topic, at) => `## ${at + 1}. ${topic}\n\n${talk(topic, number + at)}`)
  const decided = decisions[number]
  if (decided) paragraphs.splice(3, 0, `## Decided\n\n${decided}`)
  return `---\ntags: [meeting]\nnumber: ${number}\n---\n# Meeting ${number}\n\n${paragraphs.join('\n\n')}\n`
}

/** Far longer than a small context window, with the relevant text in the middle. */
function handbook(): string {
  const chapters = Array.from({ length: 40 }, (_, at) => {
    const topic = topics[at % topics.length]
    const rule =
      at === 9
        ? '\n\nThe alarm code of the side door is kept by Mrs Varga.'
        : at === 22
          ? '\n\nTravel is booked at least ten days ahead by Tomasz.'
          : ''
    return `## Chapter ${at + 1}: ${topic}\n\n${talk(topic, at, 8)}\n\n${talk(topic, at + 4, 8)}${rule}`
  })
  return `# Handbook\n\n${chapters.join('\n\n')}\n`
}

const meetings = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => [`Meetings/Meeting ${at + 1}.md`, meeting(at + 1)]),
)

/** A vault of long notes that are much alike. */
export const office: Readonly<Record<string, string>> = {
  ...meetings,
  'Handbook.md': handbook(),
  'Suppliers/Atelier Brun.md':
    '---\ntags: [supplier]\nrating: 3\n---\n# Atelier Brun\n\nPrinters in Lyon. Contact: Odile Marchand. Pays within 14 days. See [[Meeting 11]].\n',
  'Suppliers/Norddeutsche Fracht.md':
    '---\ntags: [supplier]\nrating: 4\n---\n# Norddeutsche Fracht\n\nCarrier. Contact: Jens Petersen. Collects daily at 16:30. See [[Meeting 14]].\n',
  'Suppliers/Kartonwerk.md':
    '---\ntags: [supplier]\nrating: 2\n---\n# Kartonwerk\n\nBoxes in five sizes. Contact: Petra Sommer. Minimum order 500.\n',
  'Team/Tomasz.md': '# Tomasz\n\nTravel and training. Holiday from 5 to 19 August.\n',
  'Team/Varga.md': '# Varga\n\nFacilities. Office 2.14. Deputy: Lucie.\n',
  'Projects/Web Shop.md': `---\nstatus: running\nowner: Lucie\n---\n# Web Shop\n\n${talk('the web shop', 2)}\n\n## Open\n\n- [ ] new pictures\n- [ ] terms in French\n\n## Dates\n\nGo live on 2 October. See [[Meeting 19]].\n`,
  'Projects/Catalogue.md': `---\nstatus: running\n---\n# Catalogue\n\n${talk('the spring catalogue', 5)}\n\nThe deadline for texts is 15 February.\n\n${talk('the price list', 1)}\n`,
  'Projects/Warehouse.md': `# Warehouse\n\n${talk('the new warehouse', 7)}\n\n## Open\n\n- [ ] insurance\n\n## People\n\nLucie and Tomasz.\n`,
  'Index.md': '# Index\n\n- [[Handbook]]\n- [[Atelier Brun]]\n- [[Web Shop]]\n- [[Warehouse]]\n',
}

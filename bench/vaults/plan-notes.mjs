/** Names, folders and languages of all notes, before any text is written: links need to know where they can lead. */
export function planNotes(count, pool, random) {
  const folders = planFolders(pool.en.words, random)
  const taken = new Set()
  const paths = new Set()
  const dates = random.shuffle(Array.from({ length: Math.max(400, Math.ceil(count * 0.06)) }, (_, day) => isoDate(day)))

  return Array.from({ length: count }, (_, number) => {
    const language = pickLanguage(random)
    const folder = random.pick(folders)
    const isDaily = random.chance(0.05)
    const reuses = !isDaily && number > 100 && random.chance(0.02)
    const title = isDaily ? dates.pop() : reuses ? undefined : newTitle(pool[language].words, language, taken, random)
    return { folder, language, title, reuses }
  }).map((note, number, notes) => {
    if (note.reuses) note.title = titleElsewhere(note, notes, number, paths, random)
    note.path = `${note.folder}/${note.title}.md`
    paths.add(note.path.toLowerCase())
    return note
  })
}

function planFolders(words, random) {
  const folders = []
  while (folders.length < 80) {
    const parent = folders.length > 8 && random.chance(0.75) ? random.pick(folders) : ''
    if (parent.split('/').length >= 4) continue
    const name = capitalised(random.pick(words))
    const folder = parent ? `${parent}/${name}` : name
    if (!folders.some((known) => known.toLowerCase() === folder.toLowerCase())) folders.push(folder)
  }
  return folders
}

function pickLanguage(random) {
  const draw = random.uniform()
  return draw < 0.85 ? 'en' : draw < 0.93 ? 'zh' : 'ru'
}

/** One to four words; a title that is taken gets another word until it is new. */
function newTitle(words, language, taken, random) {
  const joint = language === 'zh' ? '' : ' '
  const length = random.between(1, 4)
  let title = ''
  for (let drawn = 0; drawn < length || taken.has(title.toLowerCase()); drawn++) {
    title = drawn === 0 ? capitalised(random.pick(words)) : `${title}${joint}${random.pick(words)}`
  }
  taken.add(title.toLowerCase())
  return title
}

/** The title of an earlier note of another folder, so that links must tell two notes apart by their folders. */
function titleElsewhere(note, notes, number, paths, random) {
  for (;;) {
    const other = notes[random.below(number)]
    if (other.reuses || paths.has(`${note.folder}/${other.title}.md`.toLowerCase())) continue
    other.isTwin = true
    return other.title
  }
}

function isoDate(day) {
  return new Date(Date.UTC(2010, 0, 1 + day)).toISOString().slice(0, 10)
}

function capitalised(word) {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

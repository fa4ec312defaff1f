import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { indexVault, moveNote } from '../ours.mjs'
import { noteFiles } from '../vaults/note-files.mjs'

/** Renames the most linked note on a copy of the vault, then counts by spelling, knowing nothing of the index. */
export function measureRename({ name, folder, hub }, setup) {
  const to = `${dirname(hub.path)}/A new name for the hub.md`
  const engines = {
    Notewright: setup.oursMissing ? undefined : renameWithOurs,
    'find and replace of [[name]]': findAndReplace,
  }
  for (const [engine, rename] of Object.entries(engines)) {
    if (rename === undefined) {
      setup.record.skip('rename', engine, name, setup.oursMissing)
      continue
    }
    for (let round = 0; round < setup.runs; round++) {
      setup.say(`${name}: rename with ${engine}, run ${round + 1} of ${setup.runs}`)
      const work = join(setup.scratch, 'rename')
      const vault = join(work, 'vault')
      rmSync(work, { recursive: true, force: true })
      mkdirSync(work, { recursive: true })
      cpSync(folder, vault, { recursive: true })
      try {
        const elapsed = rename({ vault, home: join(work, 'home'), from: hub.path, to })
        const found = compare({ before: folder, after: vault, from: hub.path, to })
        const add = (measure, value) => setup.record.add(`rename: ${measure}`, engine, name, value)
        add('seconds', elapsed / 1000)
        add('files changed', found.filesChanged)
        add('links followed', found.followed)
        add('links missed', found.missed)
        add('files with other bytes changed', found.filesDamaged)
      } catch (error) {
        setup.record.skip('rename', engine, name, error.message)
      }
      rmSync(work, { recursive: true, force: true })
    }
  }
  setup.record.skip(
    'rename',
    'obsidian-mcp 2.0.1',
    name,
    'not run here; measured apart: 63–76 s, 5 of 1,893 files left',
  )
}

function renameWithOurs({ vault, home, from, to }) {
  indexVault({ vault, home })
  return moveNote({ vault, home, from, to }).wallMs
}

/** Find and replace, as a careful user would do it in an editor: a lower bound for time, and it misses links. */
function findAndReplace({ vault, from, to }) {
  const start = performance.now()
  const [old, renamed] = [title(from), title(to)]
  for (const file of noteFiles(vault)) {
    const text = readFileSync(file, 'utf8')
    const replaced = text.replaceAll(`[[${old}]]`, `[[${renamed}]]`).replaceAll(`[[${old}|`, `[[${renamed}|`)
    if (replaced !== text) writeFileSync(file, replaced)
  }
  renameSync(join(vault, from), join(vault, to))
  return performance.now() - start
}

/** Puts one mark for every link to the note, old name before and new name after: then both texts must be the same. */
function compare({ before, after, from, to }) {
  const totals = { filesChanged: 0, followed: 0, missed: 0, filesDamaged: 0 }
  for (const file of noteFiles(before)) {
    const path = file.slice(before.length + 1)
    const old = readFileSync(file, 'utf8')
    const now = readFileSync(join(after, path === from ? to : path), 'utf8')
    const wanted = old.match(linksTo(from))?.length ?? 0
    const followed = now.match(linksTo(to))?.length ?? 0
    totals.followed += followed
    totals.missed += Math.abs(wanted - followed)
    if (old !== now) totals.filesChanged++
    const isSame = old.replace(linksTo(from), '\0') === now.replace(linksTo(from), '\0').replace(linksTo(to), '\0')
    if (!isSame) totals.filesDamaged++
  }
  return totals
}

/** In a folder that Obsidian has never opened, a Markdown link says the way from its note. */
function linksTo(path) {
  const wanted = [path.slice(0, -3), title(path)].map(escaped).join('|')
  const encoded = [path, `${title(path)}.md`].flatMap((form) => [encodeURIComponent(form), encodeURI(form)])
  return new RegExp(
    `\\[\\[(?:${wanted})(?:\\.md)?(?=[\\]|#])|\\]\\((?:\\.\\.?/)*(?:${encoded.map(escaped).join('|')})(?=[)#])`,
    'gu',
  )
}

function title(path) {
  return path.split('/').at(-1).slice(0, -3)
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

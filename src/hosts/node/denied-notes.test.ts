import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutDeniedNotes } from './denied-notes.js'
import { openFolderNotebook } from './open-notebook.js'

it('names no denied file that could not be read, in the report of an update, of a rebuild or in the status', async () => {
  const base = mkdtempSync(join(tmpdir(), 'notewright-denied-'))
  const root = join(base, 'vault')
  mkdirSync(join(root, 'Private'), { recursive: true })
  writeFileSync(join(root, 'Bread.md'), 'sourdough')
  for (const name of ['Picture.md', 'Private/Diary.md']) writeFileSync(join(root, name), new Uint8Array([0, 1, 2, 0]))
  const config = { exclude: [], journal: { changes: 20, days: 30, megabytes: 1 } }
  const folders = { configFile: join(base, 'c.json'), state: join(base, 'state'), cache: join(base, 'cache') }
  const notebook = await openFolderNotebook({ root, config, folders })
  try {
    const screened = withoutDeniedNotes(notebook, [{ from: 'config', deny: ['reads(folder:Private)'] }])
    const names = ({ skipped }: { skipped: { path: string }[] }) => skipped.map(({ path }) => path)
    expect(names(await notebook.update())).toEqual(['Picture.md', 'Private/Diary.md'])
    expect(names(await screened.update())).toEqual(['Picture.md'])
    expect(names(await screened.rebuild())).toEqual(['Picture.md'])
    expect(names(await screened.status())).toEqual(['Picture.md'])
    expect(await screened.update({ wait: 'text' })).toBeUndefined()
  } finally {
    await notebook.close()
    rmSync(base, { recursive: true, force: true })
  }
})

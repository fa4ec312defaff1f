import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect } from 'vitest'
import { scratchFolder } from '../floor.js'
import type { Check } from '../security-case.js'

const program = resolve('dist/notewright.js')
const nobody = 65_534

/** Each bad place with its reason. */
const bad: Record<string, RegExp> = {
  'Denied.md': /no permission/,
  Locked: /no permission/,
  Listed: /no permission/,
  'Loop.md': /circular link/,
  'Noise.md': /not text/,
  'Wide.md': /not text/,
}

/** The program run for real as someone whom permissions bind: as root nothing of this could be seen. */
export function badFileChecks(): Check[] {
  const why = whyNotHere()
  if (why !== undefined) return [{ name: `cannot be checked here: ${why}`, run: () => {} }]
  return [
    {
      name: 'everything else is found, linked, quoted and moved; each is named with its reason by index, status and doctor',
      run: goesOn,
      timeoutMs: 120_000,
    },
    { name: 'what becomes readable is taken in at the next look', run: takesIn, timeoutMs: 120_000 },
    {
      name: 'a state folder without permission: searching goes on in memory and says so, changing is refused',
      run: searchesInMemory,
      timeoutMs: 120_000,
    },
  ]
}

async function goesOn(): Promise<void> {
  await onVault(async ({ run, json }) => {
    const { notes, skipped } = await json('index')
    expect(notes).toBe(4)
    expectNamed(skipped)
    expect(paths(await json('search', 'sourdough'))).toEqual(['Apple.md', 'Bread.md', 'Marked.md', 'Shelf/Plum.md'])
    expect((await json('links', 'Bread')).back).toMatchObject([{ source: 'Apple.md' }])
    expect((await run('ask', '-m', 'offline', 'sourdough?')).stdout).toContain('sourdough')
    const status = await json('status')
    expect(status.freshness).toBe('fresh')
    expectNamed(status.skipped)
    const { stdout } = await run('doctor')
    for (const [path, reason] of Object.entries(bad))
      expect(stdout.replace(/\s+/g, ' ')).toMatch(new RegExp(`${path}: [^:]*${reason.source}`))
    expect((await run('status')).stdout).toMatch(/Skipped +6 files and folders/)
    expect(await run('move', 'Bread.md', 'Loaf.md', '--yes')).toMatchObject({ code: 0 })
    expect((await json('links', 'Apple')).forward).toMatchObject([{ target: 'Loaf.md' }])
    // A command on a bad file reports what is wrong in a sentence.
    const refused = await run('move', 'Denied.md', 'Else.md', '--yes')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/Denied\.md cannot be read: no permission to read it/)
    expect((await run('links', 'Denied')).stderr).toMatch(/Denied\.md cannot be read/)
  })
}

async function takesIn(): Promise<void> {
  await onVault(async ({ vault, json }) => {
    await json('index')
    for (const place of ['Denied.md', 'Locked', 'Listed']) chmodSync(join(vault, place), 0o755)
    const { hits, freshness } = await json('search', 'quince')
    expect(freshness).toBe('fresh')
    expect(paths({ hits })).toEqual(['Denied.md', 'Listed/Note.md', 'Locked/Note.md'])
    expect((await json('status')).skipped.map(({ path }) => path)).toEqual(['Loop.md', 'Noise.md', 'Wide.md'])
  })
}

async function searchesInMemory(): Promise<void> {
  await onVault(async ({ home, run, json }) => {
    chmodSync(home, 0o555)
    const searched = await run('search', 'sourdough')
    expect(searched).toMatchObject({ code: 0, stdout: expect.stringMatching(/Bread/) })
    expect(searched.stderr).toMatch(/Search works in memory/)
    expect(paths(await json('search', 'plum'))).toEqual(['Shelf/Plum.md'])
    const moved = await run('move', 'Bread.md', 'Loaf.md', '--yes')
    expect(moved.code).not.toBe(0)
    expect(moved.stderr).toMatch(/journal .* Nothing was changed/)
    expect((await run('doctor')).stdout).toMatch(/fail +State/)
    expect(readdirSync(home)).toEqual([])
  })
}

interface Answer {
  notes: number
  freshness: string
  skipped: { path: string; reason: string }[]
  hits: { path: string }[]
  back: { source: string }[]
  forward: { target: string | null }[]
}

interface Stage {
  vault: string
  home: string
  run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  json(...words: string[]): Promise<Answer>
}

async function onVault(use: (stage: Stage) => Promise<void>): Promise<void> {
  const base = scratchFolder()
  const [vault, home] = [join(base, 'vault'), join(base, 'home')]
  mkdirSync(home)
  for (const [path, content] of Object.entries(files())) {
    mkdirSync(dirname(join(vault, path)), { recursive: true })
    writeFileSync(join(vault, path), content)
  }
  symlinkSync('Loop.md', join(vault, 'Loop.md'))
  if (isRoot) giveAway(base)
  for (const [place, mode] of [
    ['Denied.md', 0],
    ['Locked', 0],
    ['Listed', 0o444],
  ] as const)
    chmodSync(join(vault, place), mode)
  const run: Stage['run'] = (...words) =>
    new Promise((done) => {
      const environment = { PATH: process.env.PATH ?? '', HOME: home, NOTEWRIGHT_HOME: home, TZ: 'UTC' }
      const options = { cwd: base, env: environment, ...(isRoot && { uid: nobody, gid: nobody }) }
      const child = execFile(
        process.execPath,
        [program, ...words, '--vault', vault],
        options,
        (error, stdout, stderr) => {
          done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
        },
      )
      // `ask` would wait for what is piped in.
      child.stdin?.end()
    })
  const json: Stage['json'] = async (...words) => JSON.parse((await run(...words, '--json')).stdout)
  try {
    await use({ vault, home, run, json })
  } finally {
    for (const place of ['Locked', 'Listed']) chmodSync(join(vault, place), 0o755)
    chmodSync(home, 0o755)
    rmSync(base, { recursive: true, force: true })
  }
}

function files(): Record<string, string | Uint8Array> {
  const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer)
  return {
    'Apple.md': 'sourdough with apples [[Bread]]',
    'Bread.md': 'sourdough bread',
    'Shelf/Plum.md': 'sourdough plum',
    'Marked.md': utf16('\uFEFFsourdough in UTF-16'),
    'Denied.md': 'quince denied',
    'Locked/Note.md': 'quince locked',
    'Listed/Note.md': 'quince listed',
    'Noise.md': randomBytes(4000),
    'Wide.md': utf16('sourdough without a mark'),
  }
}

function giveAway(place: string): void {
  lchownSync(place, nobody, nobody)
  for (const item of readdirSync(place, { withFileTypes: true, recursive: true })) {
    const path = join(item.parentPath, item.name)
    if (item.isSymbolicLink()) lchownSync(path, nobody, nobody)
    else chownSync(path, nobody, nobody)
  }
}

const isRoot = process.getuid?.() === 0

/** Permissions do not bind root, so the program is run as nobody then; nobody may not reach it everywhere. */
function whyNotHere(): string | undefined {
  if (process.platform === 'win32') return 'Windows has other permissions'
  if (!isRoot) return undefined
  try {
    execFileSync(process.execPath, [program, '--version'], { uid: nobody, gid: nobody, stdio: 'ignore' })
    return undefined
  } catch {
    return 'this is root, and no other user can run the program from here'
  }
}

const paths = ({ hits }: Pick<Answer, 'hits'>): string[] => hits.map(({ path }) => path).sort()

function expectNamed(skipped: Answer['skipped']): void {
  expect(skipped.map(({ path }) => path).sort()).toEqual(Object.keys(bad).sort())
  for (const { path, reason } of skipped) expect(reason).toMatch(bad[path])
}

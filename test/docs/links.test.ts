import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { allPages, brokenLinks, readPage, sections } from '../../scripts/docs-site/pages.mjs'
import { type Block, blocksOf, isCommands, pages } from './blocks.js'

const listed = sections().flatMap((section) => section.pages)

describe('the pages of the docs', () => {
  it('are all in the navigation, each once', () => {
    expect([...listed].sort()).toEqual(allPages().sort())
  })

  it('link only to files and headings that exist', () => {
    expect(brokenLinks(listed.map(readPage))).toEqual([])
  })

  it('begin with the only heading of the first level', () => {
    const wrong = listed.filter((page) => readPage(page).headings.filter(({ depth }) => depth === 1).length !== 1)
    expect(wrong).toEqual([])
  })
})

describe('the blocks of a page', () => {
  it('name their language, so that commands are known to be commands', () => {
    const isUnnamed = (block: Block) =>
      block.language === '' || (!isCommands(block) && /^(notewright|npm|npx) /m.test(block.text))
    const unnamed = pages().flatMap((page) =>
      blocksOf(page)
        .filter(isUnnamed)
        .map(({ line }) => `${page}:${line}`),
    )
    expect(unnamed).toEqual([])
  })

  it('that nobody runs say why in a sentence', () => {
    const reasons = pages().flatMap((page) => blocksOf(page).flatMap(({ notRun }) => notRun ?? []))
    expect(reasons.filter((reason) => reason.split(' ').length < 3)).toEqual([])
  })
})

describe('npm run docs:site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-site-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('writes pages whose links and pictures exist, and that load nothing from elsewhere', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build-site.mjs', folder], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    expect(files.length).toBeGreaterThan(listed.length)
    for (const file of files) {
      const html = readFileSync(join(folder, file), 'utf8')
      const loaded = [...html.matchAll(/<(?:script|link|img)\b[^>]*\b(?:src|href)="([^"]+)"/g)].map(([, url]) => url)
      const linked = [...html.matchAll(/<a\b[^>]*\bhref="([^"#]+)/g)].map(([, url]) => url)
      const inSite = linked.filter((url) => !/^(https?|mailto|obsidian):/.test(url))
      const missing = [...loaded, ...inSite].filter((url) => !existsSync(join(folder, file, '..', decodeURI(url))))
      expect([file, missing]).toEqual([file, []])
    }
  })
})

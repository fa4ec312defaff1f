import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const read = (folder: string) =>
  readdirSync(folder).map((name) => ({ name, content: parse(readFileSync(join(folder, name), 'utf8')) as unknown }))

interface Workflow {
  on: unknown
  permissions: Record<string, string>
  jobs: Record<string, { steps: { uses?: string; run?: string }[] }>
}

describe('the workflows', () => {
  const workflows = read('.github/workflows') as { name: string; content: Workflow }[]

  it('run only scripts that package.json has', () => {
    const called = workflows.flatMap(({ content }) =>
      Object.values(content.jobs).flatMap(({ steps }) =>
        steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name)),
      ),
    )
    expect(called).toContain('release:check')
    expect(called.filter((name) => name === undefined || !(name in scripts))).toEqual([])
  })

  it('state their permissions, and pin a version of every action', () => {
    for (const { name, content } of workflows) {
      expect(Object.keys(content.permissions), name).not.toEqual([])
      const used = Object.values(content.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
      expect(used.filter((action) => !/@v\d+$/.test(action))).toEqual([])
    }
  })
})

it('the issue forms can be read and name their fields', () => {
  for (const { name, content } of read('.github/ISSUE_TEMPLATE')) {
    if (name === 'config.yml') continue
    const { body } = content as { body: { id: string; attributes: { label: string } }[] }
    expect(new Set(body.map(({ id }) => id)).size, name).toBe(body.length)
    expect(body.every(({ attributes }) => attributes.label !== '')).toBe(true)
  }
})

describe("the plugin's README", () => {
  const sources = ['src/hosts/obsidian', 'src/apps/obsidian', 'src/ui'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8')),
  )
  const readme = readFileSync('src/apps/obsidian/README.md', 'utf8')

  it('names each way in which the plugin reaches beyond its panes', () => {
    const used = (pattern: RegExp) => sources.some((text) => pattern.test(text))
    const disclosed: Record<string, RegExp> = {
      '`requestUrl`': /\brequestUrl\(/,
      '`secretStorage`': /\.secretStorage\b/,
      '`indexedDB`': /\bindexedDB\b/,
      '`child_process`': /'child_process'/,
      'paste event': /\bclipboardData\b/,
      '`navigator.clipboard`': /\bnavigator\.clipboard\b/,
    }
    const unused = Object.entries(disclosed).filter(([name, pattern]) => used(pattern) !== readme.includes(name))
    expect(unused).toEqual([])
    // A plugin that begins to use one of these says so first.
    const undisclosed = [/\bclipboard\.read/, /\blocalStorage\b/, /'electron'/, /'(?:node:)?fs'/, /\beval\(/]
    expect(undisclosed.filter(used)).toEqual([])
  })

  it('names every tool that reaches the network', () => {
    for (const name of ['web_fetch', 'web_search', 'youtube_transcription']) expect(readme).toContain(`\`${name}\``)
  })
})

describe('the changelog', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
  const released = headings.filter((heading) => heading !== 'Unreleased')

  it('has a dated section for the version in package.json, which a release takes its notes from', () => {
    expect(released[0]).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/)
    expect(released[0]).toContain(`${JSON.parse(readFileSync('package.json', 'utf8')).version} (`)
  })

  it('is sorted, newest first, with what is unreleased at the top', () => {
    expect(headings.indexOf('Unreleased')).toBeLessThanOrEqual(0)
    const dates = released.map((heading) => /\((.*)\)/.exec(heading)?.[1] ?? '')
    expect(dates).toEqual([...dates].sort().reverse())
  })
})

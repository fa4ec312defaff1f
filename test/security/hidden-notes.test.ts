import { describe, expect, it } from 'vitest'
import { aliases, builtInTools, type ToolResult } from '../../src/core/tools/index.js'
import { howOften } from '../runner/how-often.js'
import { type LoopbackWeb, loopbackWeb } from '../web/loopback-web.js'
import { treeHash } from './floor.js'
import { type Field, sampleInput, textFields, withText } from './tools/sample-input.js'
import { type ToolFloor, type ToolOptions, withTools } from './tools/tool-floor.js'

/**
 * Notes that a model must not hear of, each hidden in another way. Words that begin with CANARY are in what is hidden
 * and nowhere else; a KEY word is how someone would look for it. What nobody typed must not be said.
 */
const hidden = ['ignored', 'private', 'denied', 'tagged', 'listed'].map((how) => ({
  how,
  path: `Hidden ${how}/CANARYname${how}.md`,
  text: [
    '---',
    ...(how === 'private' ? ['private: true'] : []),
    `aliases: [CANARYalias${how}]`,
    `CANARYproperty${how}: CANARYvalue${how}`,
    `source: https://CANARYsource${how}.test/`,
    '---',
    `# CANARYheading${how}`,
    '',
    `Here KEYword${how} stands beside CANARYbody${how}, and word. #CANARYtag${how}${how === 'tagged' ? ' #secret' : ''}`,
    `It links to [[Note|CANARYlink${how}]] and [[Namesake]] and ![[CANARYembed${how}]]. ^CANARYblock${how}`,
    '',
  ].join('\n'),
}))

const canaries = [...new Set(hidden.flatMap(({ path, text }) => `${path} ${text}`.match(/CANARY\w+/g)!))]

const files = {
  'Note.md': '# Note\n\nA word about the KEYword of this note. #open\n',
  'Open/Linking.md': `See [[Note]], and ${hidden.map(({ how }) => `[[Hidden ${how}/Namesake|shown]]`).join(', ')}.\n`,
  'Open/Namesake.md': 'A word.\n',
  ...Object.fromEntries(hidden.map(({ how, text }) => [`Hidden ${how}/Namesake.md`, text])),
  ...Object.fromEntries(hidden.map(({ path, text }) => [path, text])),
  '.notewrightignore': 'Hidden ignored/\n',
}

const deny = ['reads(folder:Hidden denied)', 'reads(tag:#secret)', '*(Hidden listed/**)']

/** Everything someone might type to get at what is hidden, and a few things that only come near it. */
const probes = hidden.flatMap(({ how, path }) => [
  path,
  path.replace('.md', ''),
  path.toUpperCase(),
  path.slice(0, -5),
  path.replace('CANARY', 'CANNARY'),
  `CANARYname${how}`,
  `canaryname${how}`,
  `Hidden ${how}`,
  `Hidden ${how}/`,
  `Hidden ${how}/Namesake.md`,
  `KEYword${how}`,
  `keywrod${how}`,
  `"stands beside"`,
  `CANARYalias${how}`,
  `#CANARYtag${how}`,
  `CANARYheading${how}`,
  `^CANARYblock${how}`,
  `CANARYproperty${how}`,
])
const others = ['Namesake', 'Note.md', 'Open/Linking.md', 'word', 'secret', '#secret', 'private', '', ' ', '*', '.']

describe('hidden notes are not revealed', () => {
  /** Each with the share of the probes it tries: one in so many. */
  const sessions: [name: string, options: ToolOptions, share: number][] = [
    ['consent level auto', { level: 'auto' }, howOften(9, 1)],
    ['a person who says no', { level: 'ask-all', answer: 'no' }, howOften(29, 7)],
    ['a person who says yes', { level: 'ask', answer: 'yes' }, howOften(41, 11)],
    ['a dry run', { level: 'auto', dryRun: true }, howOften(23, 5)],
  ]
  for (const [name, options, share] of sessions) {
    it(`by any tool, with anything typed into any of its fields: ${name}`, async () => {
      const own = await silentWeb()
      try {
        const config = { web: { searchEngine: 'searxng' as const, searchUrl: 'https://search.test/' } }
        await withTools(files, { ...options, deny, config, web: own.web }, async (floor) => {
          const before = treeHash(floor.vault)
          let calls = 0
          for (const { tool, input } of everyCall(share)) {
            await expectSilence(floor, tool, input)
            calls++
          }
          expect(calls).toBeGreaterThan(3000 / share)
          // All changes were undone, so no hidden note was touched.
          expect(treeHash(floor.vault)).toBe(before)
          const said = floor.said()
          expect(canaries.filter((word) => !everTyped(word) && said.includes(word))).toEqual([])
        })
      } finally {
        await own.close()
      }
    }, 300_000)
  }

  it('and the same tools show them if nothing hides them', async () => {
    const open = Object.fromEntries(
      Object.entries(files)
        .filter(([path]) => path !== '.notewrightignore')
        .map(([path, text]) => [path, text.replace('private: true\n', '')]),
    )
    await withTools(open, { level: 'auto' }, async (floor) => {
      for (const { path } of hidden) {
        await floor.done('read_note', { path })
        await floor.done('get_note_metadata', { path })
      }
      await floor.done('get_tag_list', {})
      for (const canary of canaries) expect(floor.said()).toContain(canary)
    })
  })

  it('every tool treats the path of a hidden note like that of a missing note', async () => {
    await withTools(files, { level: 'auto', deny }, async (floor) => {
      for (const tool of builtInTools) {
        for (const field of textFields(tool).filter((each) => ['path', 'filePaths'].includes(each[0]))) {
          const missing = await floor.call(tool.name, withText(sampleInput(tool), field, 'Hidden denied/Nowhere.md'))
          // A name in a hidden place cannot be had either, so that nobody learns which ones are taken.
          expect(missing.ok && missing.changeSet).toBeFalsy()
          for (const { path } of hidden) {
            const there = await floor.call(tool.name, withText(sampleInput(tool), field, path))
            expect(answerOf(there, path)).toEqual(answerOf(missing, 'Hidden denied/Nowhere.md'))
          }
        }
      }
    })
  })
})

function* everyCall(share: number): Generator<{ tool: string; input: Record<string, unknown> }> {
  let turn = 0
  for (const tool of builtInTools) {
    const base = sampleInput(tool)
    yield { tool: tool.name, input: base }
    for (const field of textFields(tool)) {
      for (const probe of [...probes, ...others]) {
        if (turn++ % share === 0) yield { tool: tool.name, input: withText(base, field, probe) }
      }
    }
  }
  for (const [alias, { tool: name }] of Object.entries(aliases)) {
    const tool = builtInTools.find((each) => each.name === name)!
    for (const field of textFields(tool).slice(0, 1)) {
      for (const { path } of hidden) yield { tool: alias, input: withText(sampleInput(tool), field as Field, path) }
    }
  }
}

async function expectSilence(floor: ToolFloor, tool: string, input: Record<string, unknown>): Promise<void> {
  const [panels, rows] = [floor.shown.length, floor.loggedRows()]
  const result = await floor.call(tool, input)
  const typed = JSON.stringify(input).toLowerCase()
  const heard = [
    JSON.stringify(result, (_key, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
    result.ok ? '' : floor.lastError(),
    JSON.stringify(floor.shown.slice(panels)),
    floor.logged(rows),
  ].join('\n')
  const said = canaries.filter((canary) => heard.includes(canary) && !typed.includes(canary.toLowerCase()))
  expect(said, `${tool} ${JSON.stringify(input)}\n${heard}`).toEqual([])
  if (!result.ok) expect(result.code, heard).not.toBe('internal')
  if (result.ok && result.changeSet) await floor.take(result.changeSet.id)
}

const allTyped = JSON.stringify([probes, others]).toLowerCase()
const everTyped = (canary: string): boolean => allTyped.includes(canary.toLowerCase())

function answerOf(result: ToolResult, path: string): unknown {
  const text = result.text.replaceAll(JSON.stringify(path).slice(1, -1), 'PATH').replaceAll(path, 'PATH')
  return result.ok ? { text } : { code: result.code, text }
}

async function silentWeb(): Promise<LoopbackWeb> {
  const names = ['search.test', 'www.youtube.com']
  const own = await loopbackWeb(names)
  for (const name of names) own.hosts[name] = (_, response) => response.end('{"results":[]}')
  return own
}

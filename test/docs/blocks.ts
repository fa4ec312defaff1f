import { readdirSync, readFileSync } from 'node:fs'

/** A fenced block of a page, with what the comment above it says about running it. */
export interface Block {
  /** The line of its fence, from 1. */
  line: number
  language: string
  text: string
  /** `not run: …`: why no test runs these commands. */
  notRun?: string
  /** `file: …`: the file that the reader saves it as. */
  file?: string
  /** `answer: yes`: the commands ask at a terminal, and the reader agrees. */
  isApproved: boolean
  /** `keeps running`: the command runs until it is stopped, beside the commands of later blocks. */
  keepsRunning: boolean
  /** `exit code: 4`: how the last command ends, if not with 0. */
  exitCode: number
  /** The output shown below it, in a block of its own. */
  output?: string
}

/** Languages whose blocks are commands to copy. */
const shells = ['sh', 'bash', 'shell', 'console', 'zsh', 'powershell']

export const isCommands = ({ language }: Block): boolean => shells.includes(language)

/** The pages that people read. The changelog shows no commands to copy. */
export function pages(): string[] {
  const inDocs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file.replaceAll('\\', '/')}`)
  return ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md', ...inDocs.sort()]
}

export function blocksOf(page: string): Block[] {
  const lines = readFileSync(page, 'utf8').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const fence = /^( *)(`{3,})([\w-]*)\s*$/.exec(lines[at])
    if (fence === null) continue
    const [, indent, ticks, language] = fence
    const end = lines.findIndex((line, index) => index > at && line.trim() === ticks)
    if (end < 0) throw new Error(`${page}:${at + 1}: the block is not closed.`)
    const text = lines
      .slice(at + 1, end)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n')
    const block = { line: at + 1, language, text, ...marksAbove(lines, at, page) }
    const above = blocks.at(-1)
    if (language !== 'output') blocks.push(block)
    else if (above && isCommands(above)) above.output = text
    else throw new Error(`${page}:${at + 1}: this output belongs to no commands.`)
    at = end
  }
  return blocks
}

function marksAbove(lines: string[], fence: number, page: string): Omit<Block, 'line' | 'language' | 'text'> {
  const marks: Omit<Block, 'line' | 'language' | 'text'> = { isApproved: false, keepsRunning: false, exitCode: 0 }
  for (let at = fence - 1; at >= 0; at--) {
    const comment = /^ *<!-- (.+) -->$/.exec(lines[at])?.[1]
    if (comment === undefined) break
    const [, name, value] = /^([a-z ]+)(?:: (.+))?$/.exec(comment) ?? []
    if (name === 'not run' && value) marks.notRun = value
    else if (name === 'file' && value) marks.file = value
    else if (name === 'answer' && value === 'yes') marks.isApproved = true
    else if (name === 'keeps running') marks.keepsRunning = true
    else if (name === 'exit code') marks.exitCode = Number(value)
    else throw new Error(`${page}:${at + 1}: "${comment}" is no mark of a block.`)
  }
  return marks
}

// Draws docs/images/search.svg: what the built command line prints on the sample vault, colours and all.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const question = 'why are the tomatoes black at the bottom'
const home = mkdtempSync(join(tmpdir(), 'notewright-picture-'))
const env = { ...process.env, NOTEWRIGHT_HOME: home, NOTEWRIGHT_COLOR: 'always', COLUMNS: '88' }
const run = (...words) =>
  execFileSync(process.execPath, ['dist/notewright.js', ...words, '--vault', 'examples/vault'], {
    env,
    encoding: 'utf8',
  })
run('index')
const screens = [
  [`notewright search "${question}" -n 2`, run('search', question, '-n', '2')],
  ['notewright links "Seed Saving"', run('links', 'Seed Saving')],
]
rmSync(home, { recursive: true })

const colors = {
  31: '#e06c75',
  32: '#98c379',
  33: '#e5c07b',
  34: '#61afef',
  35: '#c678dd',
  36: '#56b6c2',
  90: '#7f848e',
}
const lines = screens.flatMap(([command, output]) => [
  `\x1b[32m$\x1b[0m ${command}`,
  '',
  ...output.trimEnd().split('\n'),
  '',
])
const [left, top, height, width] = [24, 36, 19, 800]
const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0')

function drawLine(line) {
  let color = ''
  let style = ''
  return line
    .split(/(\x1b\[[\d;]*m)/)
    .map((part) => {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part)
      if (codes === null) return part === '' ? '' : `<tspan${color}${style}>${escaped(part)}</tspan>`
      for (const code of codes[1].split(';')) {
        if (code === '' || code === '0') color = style = ''
        else if (code === '1') style = ' font-weight="bold"'
        else if (code === '22') style = ''
        else if (code === '2') color = ' fill="#7f848e"'
        else if (code === '39') color = ''
        else if (colors[code]) color = ` fill="${colors[code]}"`
      }
      return ''
    })
    .join('')
}

const rows = lines.map((line, at) => `<text x="${left}" y="${top + at * height}">${drawLine(line)}</text>`)
mkdirSync('docs/images', { recursive: true })
writeFileSync(
  'docs/images/search.svg',
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top + lines.length * height}" role="img" aria-label="Searching the sample vault and showing a note's links in a terminal">
<rect width="100%" height="100%" rx="8" fill="#21252b"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#d7dae0">
${rows.join('\n')}
</g>
</svg>
`,
)

// Prints how many source files run a function during one command: `ask` with one tool call, `search` and `index`. The sources are
// compiled file by file and run under V8's coverage. `-- --files` also lists the files. It measures how far a reader must look.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'rolldown/utils'

// Inside node_modules, so that packages are found from there.
const compiled = 'node_modules/.cache/notewright/walk'
const work = mkdtempSync(join(tmpdir(), 'notewright-walk-'))
const vault = join(work, 'vault')

rmSync(compiled, { recursive: true, force: true })
for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
  const isCompiled = /\.ts$/.test(file) && !/\.(test|d)\.ts$|^(apps|hosts)\/obsidian\/|^ui\/|web\/client/.test(file)
  if (!isCompiled) continue
  const { code, errors } = await transform(file, readFileSync(join('src', file), 'utf8'), { tsconfig: false })
  if (errors.length > 0) throw errors[0]
  const target = join(compiled, file.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, code)
}
cpSync('package.json', join('node_modules/.cache/notewright', 'package.json'))
cpSync('examples/vault', vault, { recursive: true })

const model = await fakeModel()
const commands = {
  index: ['index', '--no-vectors'],
  search: ['search', 'winter soil'],
  ask: ['ask', 'What feeds the soil?', '-m', 'compatible/fake', '--dialect', 'native', '--no-session'],
}
try {
  for (const [name, words] of Object.entries(commands)) {
    const files = await filesRun(words)
    console.log(`${name.padEnd(7)} ${files.length} files with a function that ran`)
    if (process.argv.includes('--files')) for (const file of files) console.log(`        ${file}`)
  }
} finally {
  model.close()
  rmSync(work, { recursive: true, force: true })
}

async function filesRun(words) {
  const folder = mkdtempSync(join(work, 'coverage-'))
  const env = {
    ...process.env,
    NODE_V8_COVERAGE: folder,
    NOTEWRIGHT_HOME: join(work, 'home'),
    NOTEWRIGHT_COMPATIBLE_URL: `http://127.0.0.1:${model.address().port}/v1`,
  }
  const child = spawn(process.execPath, [join(compiled, 'apps/cli/main.js'), ...words, '--vault', vault], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`notewright ${words[0]} ended with ${code}.`)
  const files = new Set()
  for (const report of readdirSync(folder)) {
    for (const { url, functions } of JSON.parse(readFileSync(join(folder, report), 'utf8')).result) {
      if (!url.startsWith('file:')) continue
      const file = relative(compiled, fileURLToPath(url))
      // The first entry is the module itself, which runs whenever it is loaded.
      const ran = functions.slice(1).some(({ ranges: [{ count }] }) => count > 0)
      if (!file.startsWith('..') && ran) files.add(file.replace(/\.js$/, '.ts'))
    }
  }
  return [...files].sort()
}

/** An OpenAI-compatible server whose model searches once and then answers. */
async function fakeModel() {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    if (!request.url.endsWith('/chat/completions')) return response.writeHead(404).end('{}')
    const isAnswered = body.includes('"role":"tool"')
    const call = { index: 0, id: 'call_1', type: 'function' }
    const delta = isAnswered
      ? { content: 'Compost feeds the soil.' }
      : { tool_calls: [{ ...call, function: { name: 'search_notes', arguments: '{"query":"soil"}' } }] }
    const chunk = (choice) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ index: 0, delta: { role: 'assistant', ...delta } }))
    response.write(chunk({ index: 0, delta: {}, finish_reason: isAnswered ? 'stop' : 'tool_calls' }))
    response.end('data: [DONE]\n\n')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

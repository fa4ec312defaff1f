// The other parser, through its own stream: text parts in, text and tool-call parts out.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const name = '@ai-sdk-tool/parser'

/** Loads it, installed when first needed; a sentence when it cannot be. */
export async function loadPeer() {
  if (!existsSync(join(folder, 'node_modules', name))) {
    console.error('Installing the parser to compare with (once)…')
    const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (status !== 0) return 'npm ci in bench/dialects failed'
  }
  const peer = await import(name)
  return {
    hermes: peer.hermesProtocol(),
    qwen3_coder: peer.qwen3CoderProtocol(),
    morph_xml: peer.morphXmlProtocol(),
    yaml_xml: peer.yamlXmlProtocol(),
  }
}

/** Reads a reply in pieces; returns text, calls and the number of reported errors. */
export async function readWithPeer(protocol, pieces, tools) {
  let errors = 0
  const options = { onError: () => errors++ }
  const declared = tools.map((tool) => ({ type: 'function', ...tool }))
  const stream = protocol.createStreamParser({ tools: declared, options })
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  const written = (async () => {
    await writer.write({ type: 'text-start', id: '1' })
    for (const delta of pieces) await writer.write({ type: 'text-delta', id: '1', delta })
    await writer.write({ type: 'text-end', id: '1' })
    await writer.write({ type: 'finish', finishReason: { unified: 'stop' }, usage: {} })
    await writer.close()
  })()
  const reply = { text: '', calls: [] }
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.type === 'text-delta') reply.text += part.value.delta
    if (part.value.type === 'tool-call') {
      reply.calls.push({ name: part.value.toolName, arguments: JSON.parse(part.value.input || '{}') })
    }
  }
  await written
  return { ...reply, errors }
}

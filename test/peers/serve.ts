import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { eventsIn, validateStream } from '../responses/stream-validator.js'
import { type CodexVersion, codexHome, codexPath } from './codex/real-codex.js'
import { type ServedModel, serveModel } from './scripted-model/serve-model.js'

/** `notewright serve`, started as people start it, with the scripted model behind it. */
export interface Served {
  /** Base URL with `/v1`. */
  url: string
  /** The secret of the access key that its first start creates. */
  key: string
  model: string
  /** The model behind it. */
  backend: ServedModel
  /** A fetch that also holds every stream of responses against our own validator. */
  fetch: typeof fetch
  stop(): Promise<void>
}

export const backends = ['native', 'sentinel', 'use-tool', 'codex 0.166', 'codex 0.89'] as const

export type BackendKind = (typeof backends)[number]

export async function serveWith(kind: BackendKind, options: { pieceMs?: number } = {}): Promise<Served> {
  const isText = kind === 'sentinel' || kind === 'use-tool'
  const backend = await serveModel({ ...options, withoutTools: isText })
  const isCodex = kind.startsWith('codex')
  const model = isCodex ? 'codex/scripted' : 'compatible/scripted'
  const dialect = isText || kind === 'native' ? ['--dialect', kind] : []
  const own = isCodex
    ? await codexEnvironment(kind.slice(6) as CodexVersion, backend.url)
    : { NOTEWRIGHT_COMPATIBLE_URL: backend.url }
  const home = await mkdtemp(join(tmpdir(), 'notewright-peers-'))
  const vault = join(home, 'vault')
  await mkdir(vault)
  await writeFile(join(vault, 'soil.md'), '# Soil\n\nCompost feeds the soil.\n')
  const words = ['serve', '--port', '0', '--json', '--backend', model, ...dialect, '--vault', vault]
  const program = resolve('dist/notewright.js')
  const env = { PATH: process.env.PATH, HOME: home, NOTEWRIGHT_HOME: join(home, 'notewright'), ...own }
  if (isCodex) {
    const approve = ['programs', 'approve', 'codex', '--yes', '--vault', vault]
    execFileSync(process.execPath, [program, ...approve], { env, stdio: 'ignore' })
  }
  const child = spawn(process.execPath, [program, ...words], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { url, key } = await firstLine(child)
  return {
    url: `${url}/v1`,
    key,
    model,
    backend,
    fetch: validatingFetch,
    async stop() {
      const ended = new Promise((end) => child.once('exit', end))
      child.kill('SIGINT')
      await ended
      await backend.close()
    },
  }
}

async function codexEnvironment(version: CodexVersion, modelUrl: string): Promise<Record<string, string>> {
  const { home } = await codexHome(modelUrl)
  return { CODEX_HOME: home, NOTEWRIGHT_CODEX_PATH: codexPath(version) }
}

function firstLine(child: ChildProcess): Promise<{ url: string; key: string }> {
  return new Promise((tell, fail) => {
    let errors = ''
    child.stderr!.on('data', (bytes) => {
      errors += bytes
    })
    child.once('exit', (code) => fail(new Error(`notewright serve ended (${code}): ${errors}`)))
    createInterface({ input: child.stdout! }).once('line', (line) => tell(JSON.parse(line)))
  })
}

const validatingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || !response.url.endsWith('/responses') || response.body === null) return response
  let text = ''
  const decoder = new TextDecoder()
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        text += decoder.decode(bytes, { stream: true })
        // Held against the rules before the client sees the end, so that a broken stream breaks the test.
        if (text.endsWith('data: [DONE]\n\n')) validateStream(eventsIn(text))
        controller.enqueue(bytes)
      },
    }),
  )
  return new Response(body, { status: response.status, headers: response.headers })
}

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { bundled } from '../bundled.mjs'

export const program = fileURLToPath(new URL('../../dist/notewright.js', import.meta.url))

/** `notewright web` on a vault, with a browser that has come in. */
export async function served(vault, environment, words = []) {
  const all = [program, 'web', '--no-open', '--json', '--port', '0', '--vault', vault, ...words]
  const child = spawn(process.execPath, all, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const link = JSON.parse(await new Promise((resolve) => child.stdout.once('data', resolve))).url
  const { openBrowser } = await bundled('test/browser/open-browser.ts')
  const browser = await openBrowser()
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } })
  await page.goto(link)
  await page.waitForSelector('.nw-composer')
  return {
    page,
    url: new URL(link).origin,
    async stop() {
      await browser.close()
      child.kill('SIGINT')
      await new Promise((resolve) => child.once('close', resolve))
    },
  }
}

/** Says as many words as the last message asks for (`words:gapMs`), as a server of OpenAI's API does. */
export async function wordServer() {
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const part of incoming) body += part
    const messages = JSON.parse(body || '{"messages":[]}').messages
    const [, words = '5', gapMs = '0'] = /(\d+):(\d+)/.exec(JSON.stringify(messages.at(-1) ?? '')) ?? []
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let at = 0; at < Number(words) && !response.destroyed; at++) {
      response.write(chunk({ content: at % 40 === 39 ? `word${at}\n\n` : `word${at} ` }))
      if (Number(gapMs) > 0) await new Promise((resolve) => setTimeout(resolve, Number(gapMs)))
    }
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const environment = {
    NOTEWRIGHT_COMPATIBLE_URL: `http://127.0.0.1:${server.address().port}/v1`,
    NOTEWRIGHT_DIALECT: 'native',
    NOTEWRIGHT_SESSIONS_AUTO_TITLE: 'false',
  }
  return { environment, stop: () => server.close() }
}

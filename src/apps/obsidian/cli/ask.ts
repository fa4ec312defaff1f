import type { NotewrightPlugin } from '../plugin.js'

/** One question and its answer. Nobody is there to be asked, so that what would need a yes is refused. */
export async function askOnce(plugin: NotewrightPlugin, prompt: string, model?: string): Promise<string> {
  const { vault } = await plugin.opened()
  const session = await vault.openSession({ keep: false, canAsk: false, consent: 'read-only', ...(model && { model }) })
  try {
    for await (const event of session.ask(prompt)) {
      if (event.type !== 'run-end') continue
      return event.failure === undefined ? event.text : `error: ${event.failure.text}`
    }
    return ''
  } finally {
    await session.close()
  }
}

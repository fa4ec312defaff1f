import { longestTask } from './longest-task.mjs'

/** A conversation of many messages, written where the server will find it. */
export async function longSession(vault, turns) {
  const { openVault } = await import(new URL('../../dist/library.js', import.meta.url).href)
  const opened = await openVault(vault)
  const id = 'long-conversation'
  const writer = await opened.sessions.write(id)
  for (let from = 0; from < turns; from += 100) {
    const events = Array.from({ length: Math.min(100, turns - from) }, (_, at) => turnEvents(from + at)).flat()
    await writer.append({ events, about: { turns: from + 100, title: 'Long', waiting: [] } })
  }
  await writer.release()
  await opened.close()
  return id
}

function turnEvents(number) {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString()
  const call = { id: `c${number}`, name: 'search_notes', input: { query: `beans ${number}` } }
  const text = `Answer **${number}**: beans climb poles, see [[Note]].\n\n- one\n- two with \`code\`\n\n${'More words follow here. '.repeat(8)}`
  const about = { title: 'Search notes', activity: 'Searching notes', background: false }
  return [
    { type: 'run-start', turn: `t${number}`, mode: 'agent', model: 'compatible/test', text: `Question ${number}?` },
    { type: 'tool-call', call, ...about },
    { type: 'tool-result', call, result: { callId: call.id, ok: true, output: {}, text: 'Found: Note.md' } },
    { type: 'text-delta', text },
    { type: 'run-end', reason: 'answered', steps: 1, usage: { input: 10, output: 20 }, messages: [] },
  ].map((event) => ({ time, event }))
}

/** Scrolls through it and lets an answer stream into it; what kept the page busy longest, and what memory it takes. */
export async function measureTranscript({ page, url }, session, turns) {
  const devtools = await page.context().newCDPSession(page)
  const startedAt = performance.now()
  let loadMs = 0
  const loading = await longestTask(devtools, async () => {
    await page.goto(`${url}/?long#session=${session}`)
    await page.waitForFunction((count) => document.querySelectorAll('.nw-turn').length >= count, turns)
    loadMs = performance.now() - startedAt
    await page.waitForTimeout(1000)
  })
  const scrolling = await longestTask(devtools, () =>
    page.evaluate(async () => {
      const log = document.querySelector('.nw-log')
      for (let at = 0; at <= 120; at++) {
        log.scrollTop = (log.scrollHeight * at) / 120
        await new Promise(requestAnimationFrame)
      }
    }),
  )
  const streaming = await longestTask(devtools, () => page.evaluate(streamWords))
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const rows = { loading, scrolling, '800 words stream at 100 a second': streaming }
  return {
    [`${turns * 2} messages: shown after (ms)`]: loadMs,
    ...Object.fromEntries(
      Object.entries(rows).flatMap(([when, { processorMs, clockMs }]) => [
        [`longest task while ${when} (ms of processor time, at most 100)`, processorMs],
        [`the same while ${when}, by the clock (ms)`, clockMs],
      ]),
    ),
    'heap (MB, at most 150)': usedSize / 1e6,
  }
}

/** Without the help of the one who drives the browser: looking for things in a long page would keep it busy too. */
async function streamWords() {
  const field = document.querySelector('.nw-composer textarea')
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, '800:10')
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  await new Promise(requestAnimationFrame)
  field.form.requestSubmit()
  const isOver = () => document.querySelector('.nw-log').lastElementChild.querySelector('.nw-turn-foot') !== null
  const before = document.querySelector('.nw-log').lastElementChild
  while (document.querySelector('.nw-log').lastElementChild === before || !isOver())
    await new Promise((resolve) => setTimeout(resolve, 200))
}

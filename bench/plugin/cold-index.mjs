import { openPage, processorTime } from './plugin-place.mjs'

/** Switches the plugin on in a profile that knows nothing, and looks on from afar until the index is complete. */
export async function measureIndex(browser, address) {
  const context = await browser.newContext()
  const page = await openPage(context, address)
  const before = await processorTime(browser)
  const begun = await switchOn(page)
  await page.waitForFunction(isIndexed, undefined, { timeout: 0, polling: 500 })
  const after = await processorTime(browser)
  const { all, host } = await page.evaluate(() => ({
    all: Math.max(...workers.map(({ ended }) => ended)),
    host: globalThis.host.app.vault.disk.spentMs,
  }))
  await context.close()
  return {
    all: all - begun,
    processor: (after.all - before.all) * 1000,
    inBrowser: (after.browser - before.browser) * 1000,
    host,
  }
}

/** The same while somebody types, with an eye on heaps and tasks; and one more start afterwards. */
export async function watchIndex(browser, address, query) {
  const context = await browser.newContext()
  const page = await openPage(context, address)
  const heap = await watchHeap(context, page)
  const tasks = await watchTasks(browser)
  await switchOn(page)
  await page.evaluate(() => host.run('notewright:open-chat'))
  const field = page.getByLabel('Your question')
  let typed = 0
  while (!(await page.evaluate(isIndexed))) {
    await field.press('abcdefghij klmnop'[typed++ % 17])
    await heap.look()
    await new Promise((resume) => setTimeout(resume, 60))
  }
  const longest = await tasks.stop()
  const settled = await heap.settled()
  await page.close()
  const warm = await measureWarmStart(browser, context, address, query)
  await context.close()
  return { typed, longest, peak: heap.peak, settled, warm }
}

const switchOn = (page) =>
  page.evaluate(async () => {
    await host.enable('notewright')
    performance.mark('switched-on')
    return performance.now()
  })

const isIndexed = () => workers.length > 0 && workers.every(({ ended }) => ended !== undefined)

/** From switching it on, in an app that has the vault open, to the first answer. */
async function measureWarmStart(browser, context, address, query) {
  const page = await openPage(context, address)
  const before = await processorTime(browser)
  const { ms, answer } = await page.evaluate(async (wanted) => {
    const begun = performance.now()
    await host.enable('notewright')
    const said = await host.app.cli.get('notewright:search')({ query: wanted })
    return { ms: performance.now() - begun, answer: said }
  }, query)
  const after = await processorTime(browser)
  return { ms, processor: (after.renderer - before.renderer) * 1000, found: /\.md/.test(answer) }
}

/** Heaps of page and worker with their buffers, in bytes; the notes themselves, which the page holds as its disk, count too. */
async function watchHeap(context, page) {
  const session = await context.newCDPSession(page)
  const attached = new Map()
  session.on('Target.attachedToTarget', ({ sessionId }) => attached.set(sessionId, undefined))
  session.on('Target.detachedFromTarget', ({ sessionId }) => attached.delete(sessionId))
  session.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
    const { result } = JSON.parse(message)
    if (result?.usedSize !== undefined && attached.has(sessionId)) attached.set(sessionId, result)
  })
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false })
  const bytes = ({ usedSize, backingStorageSize = 0 }) => usedSize + backingStorageSize
  let asked = 0
  const self = {
    peak: 0,
    async look() {
      for (const sessionId of attached.keys()) {
        const message = JSON.stringify({ id: ++asked, method: 'Runtime.getHeapUsage' })
        await session.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => attached.delete(sessionId))
      }
      const here = bytes(await session.send('Runtime.getHeapUsage'))
      const workers = [...attached.values()].reduce((sum, usage) => sum + (usage ? bytes(usage) : 0), 0)
      self.peak = Math.max(self.peak, here + workers)
    },
    async settled() {
      await session.send('HeapProfiler.collectGarbage')
      return bytes(await session.send('Runtime.getHeapUsage'))
    },
  }
  return self
}

/** The longest task of any page meanwhile: as a clock sees it, and as the processor, which knows nothing of other programs. */
async function watchTasks(browser) {
  const session = await browser.newBrowserCDPSession()
  const events = []
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) {
      if (wanted.test(event.name)) events.push(event)
    }
  })
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing', '__metadata'] },
    transferMode: 'ReportEvents',
  })
  return {
    async stop() {
      const done = new Promise((resolve) => session.on('Tracing.tracingComplete', resolve))
      await session.send('Tracing.end')
      await done
      await session.detach()
      const mains = new Set(
        events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(threadOf),
      )
      // Only tasks that end after the plugin was switched on count; earlier ones belong to the start.
      const { ts: since } = events.find(({ name }) => name === 'switched-on')
      const isTask = ({ ph, ts, dur }) => ph === 'X' && ts + dur > since
      const tasks = events.filter((event) => isTask(event) && mains.has(threadOf(event)))
      const longest = (field) => Math.max(0, ...tasks.map((event) => (event[field] ?? 0) / 1000))
      return { clock: longest('dur'), processor: longest('tdur'), tasks: tasks.length }
    },
  }
}

const wanted = /RunTask|^thread_name$|^switched-on$/
const threadOf = ({ pid, tid }) => `${pid}:${tid}`

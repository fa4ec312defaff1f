/** The task that kept the page busy longest while something was done: its processor time, and how long it took by the clock. */
export async function longestTask(devtools, work) {
  const events = []
  const keep = ({ value }) => events.push(...value)
  devtools.on('Tracing.dataCollected', keep)
  const isOver = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve))
  await devtools.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel'] } })
  await work()
  await devtools.send('Tracing.end')
  await isOver
  devtools.off('Tracing.dataCollected', keep)
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`
  const named = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const main = new Set(named.map(threadOf))
  const tasks = events.filter((event) => /RunTask$/.test(event.name) && main.has(threadOf(event)))
  const longest = (measure) => Math.max(0, ...tasks.map((task) => task[measure] ?? 0)) / 1000
  return { processorMs: longest('tdur'), clockMs: longest('dur') }
}

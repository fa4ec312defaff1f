// `node bench/graph/run.mjs [notes]`: a graph drawn in Chromium while its notes find their places, and while it is moved
// with the pointer. Fails where it is drawn less than 30 times a second.
import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'
import { median, percentile } from '../statistics.mjs'

const least = 30
const notes = Number(process.argv[2] ?? 2000)
const { openBrowser, serveStories } = await bundled('test/browser/open-browser.ts', 'test/ui/story-page.ts')
const stories = await serveStories(join(repository, 'test', 'ui', 'stories'))
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } })
  // Each frame with what the page did in it.
  await page.addInitScript(() => {
    const frames = []
    globalThis.frames_ = frames
    const request = globalThis.requestAnimationFrame.bind(globalThis)
    globalThis.requestAnimationFrame = (draw) =>
      request((time) => {
        const startedAt = performance.now()
        draw(time)
        frames.push({ time, work: performance.now() - startedAt })
      })
  })
  await page.goto(`${stories.url}?story=graph: large&nodes=${notes}`)
  await page.waitForSelector('canvas[data-rests]', { timeout: 120_000 })
  report('while notes find their places', await taken(page))
  const { x, y, width, height } = await page.locator('canvas').boundingBox()
  await page.evaluate(() => {
    // Nothing moves by itself any more: frames are counted for as long as the pointer drags.
    const count = () => requestAnimationFrame(count)
    count()
  })
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  for (let at = 0; at < 120; at++) await page.mouse.move(x + width / 2 + 100 * Math.sin(at / 10), y + height / 2 + at)
  await page.mouse.up()
  report('while it is moved', await taken(page))
} finally {
  await browser.close()
  await stories.close()
}

async function taken(page) {
  return page.evaluate(() => globalThis.frames_.splice(0))
}

function report(when, frames) {
  const between = frames.slice(1).map(({ time }, at) => time - frames[at].time)
  const work = frames.map((frame) => frame.work)
  const rate = (1000 * between.length) / between.reduce((sum, ms) => sum + ms, 0)
  console.log(
    `${notes} notes, ${when}: ${rate.toFixed(0)} frames a second, at least ${least}; between two: median ${median(between).toFixed(1)} ms, p95 ${percentile(between, 0.95).toFixed(1)} ms; work in one: median ${median(work).toFixed(1)} ms, p95 ${percentile(work, 0.95).toFixed(1)} ms (${frames.length} frames)`,
  )
  if (rate < least) process.exitCode = 1
}

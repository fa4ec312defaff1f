import { join } from 'node:path'
import { bundled } from '../bundled.mjs'
import { repository } from '../data.mjs'
import { percentile } from '../statistics.mjs'

const notes = 2000
const steps = 240

/** Frames of Chromium while the list of a review of 2,000 notes is scrolled from its start to its end. */
export async function measureReview({ record, runs, say }) {
  const { openBrowser, serveStories } = await bundled('test/browser/open-browser.ts', 'test/ui/story-page.ts')
  const stories = await serveStories(join(repository, 'test', 'ui', 'stories'))
  const browser = await openBrowser()
  const column = `${notes} notes`
  try {
    for (let run = 0; run < runs; run++) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(`${stories.url}?story=panel: large`)
      await page.getByRole('button', { name: /^Review/ }).click()
      await page.getByRole('button', { name: /more$/ }).click()
      const frames = await page.evaluate(scrolled, steps)
      const between = frames.slice(1).map((time, at) => time - frames[at])
      record.add('review: frames a second', 'ours', column, (1000 * between.length) / sum(between))
      record.add('review: p95 between frames', 'ours', column, percentile(between, 0.95))
      await page.close()
    }
  } finally {
    await browser.close()
    await stories.close()
  }
  say(`review of ${notes} notes: scrolled`)
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** Runs in the page. Times of the frames while the list moves by the same distance in each. */
async function scrolled(steps) {
  const list = document.querySelector('.nw-review-list')
  const distance = (list.scrollHeight - list.clientHeight) / steps
  const times = []
  list.scrollTop = 0
  for (let step = 0; step <= steps; step++) {
    times.push(await new Promise((resolve) => requestAnimationFrame(resolve)))
    list.scrollTop += distance
  }
  return times
}

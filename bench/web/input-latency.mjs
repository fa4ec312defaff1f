import { percentile } from '../statistics.mjs'

/**
 * From a key to the frame that shows it, while an answer streams into the chat that is open. The page measures itself:
 * looking for things in a long page from outside would keep it busy too.
 */
export async function measureInputLatency({ page }) {
  const times = await page.evaluate(typeWhileStreaming)
  return {
    'key to frame while words stream, p50 (ms)': percentile(times, 0.5),
    'key to frame while words stream, p95 (ms, at most 30)': percentile(times, 0.95),
  }
}

async function typeWhileStreaming() {
  const field = () => document.querySelector('.nw-composer textarea')
  const write = (text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field(), text)
    field().dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const frame = () => new Promise(requestAnimationFrame)
  write('1200:10')
  await frame()
  field().form.requestSubmit()
  while (document.querySelector('.nw-send-stop') === null) await frame()
  const times = []
  for (let key = 1; key <= 200 && document.querySelector('.nw-send-stop') !== null; key++) {
    // Keys come at any moment of a frame.
    await new Promise((resolve) => setTimeout(resolve, 20 + ((key * 7) % 17)))
    const pressedAt = performance.now()
    write('x'.repeat(key))
    await frame()
    // A task after the frame has begun runs when the frame is drawn.
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(0)
    })
    times.push(performance.now() - pressedAt)
  }
  write('')
  document.querySelector('.nw-send-stop')?.click()
  return times
}

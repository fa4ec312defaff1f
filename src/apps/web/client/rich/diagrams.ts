/** A diagram that takes longer is given up. */
const mostMs = 15_000

interface Waiting {
  resolve(svg: string): void
  reject(error: Error): void
}

/** The frame that draws diagrams, once it is loaded. */
let frame: Promise<HTMLIFrameElement> | undefined
const waiting = new Map<number, Waiting>()
let last = 0

/**
 * Draws a Mermaid diagram as SVG. The library styles what it draws while it draws it, which the page's policy forbids,
 * and it reads untrusted text: it runs in one hidden frame without an origin, a network or access to the page.
 */
export async function drawDiagram(text: string, isDark: boolean): Promise<string> {
  frame ??= openFrame()
  const opened = await frame.catch((error: unknown) => {
    frame = undefined
    throw error
  })
  const id = ++last
  const svg = new Promise<string>((resolve, reject) => waiting.set(id, { resolve, reject }))
  // A frame without an origin can be addressed by any only. It is ours, and cannot be led elsewhere.
  opened.contentWindow?.postMessage({ id, text, isDark }, '*')
  const timer = setTimeout(() => {
    closeFrame(opened)
    waiting.get(id)?.reject(new Error('Drawing it takes too long.'))
  }, mostMs)
  return svg.finally(() => {
    clearTimeout(timer)
    waiting.delete(id)
  })
}

function openFrame(): Promise<HTMLIFrameElement> {
  const made = document.createElement('iframe')
  made.className = 'page-diagrams'
  made.title = 'Diagrams'
  made.tabIndex = -1
  made.setAttribute('aria-hidden', 'true')
  made.setAttribute('sandbox', 'allow-scripts')
  made.src = document.querySelector<HTMLMetaElement>('meta[name=notewright-diagrams]')?.content ?? ''
  addEventListener('message', onMessage)
  return new Promise((resolve, reject) => {
    made.onerror = () => reject(new Error('The part of the page that draws diagrams did not load.'))
    made.onload = () => resolve(made)
    document.body.append(made)
  })

  function onMessage({ source, data }: MessageEvent): void {
    if (!made.isConnected) removeEventListener('message', onMessage)
    if (!made.isConnected || source !== made.contentWindow) return
    const { id, svg, trouble } = data as { id?: unknown; svg?: unknown; trouble?: unknown }
    const one = waiting.get(Number(id))
    if (typeof svg === 'string') one?.resolve(svg)
    else one?.reject(new Error(String(trouble)))
  }
}

/** Diagrams that wait for a frame that hangs are given up with it. The next one opens another frame. */
function closeFrame(opened: HTMLIFrameElement): void {
  if (!opened.isConnected) return
  opened.remove()
  frame = undefined
  for (const one of waiting.values()) one.reject(new Error('Another diagram blocked this one.'))
}

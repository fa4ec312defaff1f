import { svgAsXml } from '../../../../ui/markdown/diagram.js'

/** The script of the frame that draws diagrams. Mermaid's own script comes before it, as a global. */
declare const mermaid: {
  initialize(options: object): void
  render(id: string, text: string): Promise<{ svg: string }>
}

const options = {
  startOnLoad: false,
  suppressErrorRendering: true,
  // Labels as SVG text: HTML inside of SVG is not drawn everywhere.
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  class: { htmlLabels: false },
  fontFamily: 'system-ui, sans-serif',
}

// One after the other: the library keeps its settings in one place.
let before: Promise<unknown> = Promise.resolve()
addEventListener('message', ({ source, data }: MessageEvent<{ id: number; text: string; isDark: boolean }>) => {
  if (source !== parent) return
  before = before.then(async () => parent.postMessage(await answer(data), '*'))
})

async function answer({ id, text, isDark }: { id: number; text: string; isDark: boolean }) {
  try {
    mermaid.initialize({ ...options, theme: isDark ? 'dark' : 'default' })
    const { svg } = await mermaid.render(`diagram-${id}`, text)
    return { id, svg: svgAsXml(svg) }
  } catch (error) {
    return { id, trouble: reasonOf(error) }
  } finally {
    document.body.replaceChildren()
  }
}

/** One sentence. What could have stood in that place instead is only of use to the author of the grammar. */
function reasonOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'UnknownDiagramError') return 'Diagrams of this kind are not supported.'
  return `${message.split('\n', 1)[0]!.replace(/[:.]\s*$/, '')}.`
}

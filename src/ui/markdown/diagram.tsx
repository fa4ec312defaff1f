import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

type Drawn = { svg: string } | { trouble: string }

/**
 * A Mermaid diagram, drawn when it comes into view. It is shown as a picture: a browser runs nothing in a picture and
 * loads nothing for it. A diagram that is not valid is shown as its code, with the reason.
 */
export function Diagram({ text, code }: { text: string; code: (toggle: ComponentChildren) => ComponentChildren }) {
  const { drawDiagram } = useHost()
  const place = useRef<HTMLDivElement>(null)
  const isInView = useInView(place)
  const isDark = useDarkTheme(place)
  const [drawn, setDrawn] = useState<Drawn | undefined>()
  const [isCode, setCode] = useState(false)
  useEffect(() => {
    if (!isInView || isDark === undefined || drawDiagram === undefined) return
    let isLate = false
    drawDiagram(text, isDark).then(
      (svg) => isLate || setDrawn({ svg }),
      (error: unknown) => isLate || setDrawn({ trouble: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isLate = true
    }
  }, [text, isInView, isDark])

  const svg = drawn !== undefined && 'svg' in drawn ? drawn.svg : undefined
  const toggle = svg !== undefined && (
    <button type="button" class="nw-btn-plain nw-btn-small" aria-pressed={isCode} onClick={() => setCode(!isCode)}>
      {isCode ? 'Show diagram' : 'Show code'}
    </button>
  )
  return (
    <div class="nw-diagram" ref={place}>
      {svg === undefined || isCode ? code(toggle) : <Picture svg={svg} text={text} toggle={toggle} />}
      {drawn !== undefined && 'trouble' in drawn && (
        <p class="nw-remark" role="note">
          This diagram can't be drawn. {visibleText(drawn.trouble).text}
        </p>
      )}
    </div>
  )
}

function Picture({ svg, text, toggle }: { svg: string; text: string; toggle: ComponentChildren }) {
  const [, width, height] = /viewBox="[-\d.e]+ [-\d.e]+ ([\d.e]+) ([\d.e]+)"/.exec(svg) ?? []
  return (
    <figure class="nw-code">
      <header>
        <span class="nw-grow">Diagram</span>
        {toggle}
      </header>
      <div class="nw-diagram-picture" role="group" aria-label="Diagram" tabIndex={0}>
        <img
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`}
          alt={nameOf(text)}
          width={width && Math.ceil(Number(width))}
          height={height && Math.ceil(Number(height))}
        />
      </div>
    </figure>
  )
}

/** The title that the diagram has for screen readers, or else its kind. */
function nameOf(text: string): string {
  const title = /^\s*(?:accTitle\s*:|title:?\s)\s*(.+)$/m.exec(text)?.[1]
  const kind = /^\s*(?:---[\s\S]*?---\s*)?(?:%%.*\s+)*([\w-]+)/.exec(text)?.[1] ?? 'Mermaid'
  return visibleText(title?.trim() ?? `Diagram: ${kind}`).text
}

/** True from when the element is first near the visible part. */
function useInView(place: { current: Element | null }): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setInView(true)
        observer.disconnect()
      },
      { rootMargin: '200px' },
    )
    observer.observe(place.current!)
    return () => observer.disconnect()
  }, [])
  return isInView
}

/** Undefined until the element is there. */
function useDarkTheme(place: { current: Element | null }): boolean | undefined {
  const [isDark, setDark] = useState<boolean | undefined>()
  useEffect(() => {
    const { documentElement, body } = place.current!.ownerDocument
    // A page names its theme on the root element, and Obsidian on the body.
    const look = () => setDark([documentElement, body].some(({ classList }) => classList.contains('theme-dark')))
    look()
    const observer = new MutationObserver(look)
    for (const element of [documentElement, body])
      observer.observe(element, { attributes: true, attributeFilter: ['class'] })
    return () => observer.disconnect()
  }, [])
  return isDark
}

/** SVG that was written as HTML, such as by Mermaid, as a picture needs it: `<br>` and `&nbsp;` are no XML. */
export function svgAsXml(html: string): string {
  const svg = new DOMParser().parseFromString(html, 'text/html').querySelector('svg')
  if (svg === null) throw new Error('There is nothing to draw.')
  return new XMLSerializer().serializeToString(svg)
}

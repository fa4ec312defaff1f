import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import temml from 'temml'

/** TeX as MathML, which the browser draws without fonts of ours. TeX that is not valid is shown as it is. */
export function Formula({ text, isBlock, source }: { text: string; isBlock: boolean; source: ComponentChildren }) {
  const place = useRef<HTMLSpanElement>(null)
  const [trouble, setTrouble] = useState<string | undefined>()
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return
    try {
      // Without trust it makes no links, pictures or classes. Macros that expand without end are an error.
      temml.render(text, element, { displayMode: isBlock, throwOnError: true, trust: false, maxExpand: 1000 })
      element.querySelector('math')?.setAttribute('aria-label', text)
      setTrouble(undefined)
    } catch (error) {
      element.replaceChildren()
      setTrouble(error instanceof Error ? error.message : String(error))
    }
  }, [text, isBlock])
  return (
    <>
      <span ref={place} />
      {trouble !== undefined && <span title={trouble}>{source}</span>}
    </>
  )
}

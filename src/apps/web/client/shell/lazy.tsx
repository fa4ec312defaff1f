import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { FailureBox, Skeleton } from '../../../../ui/index.js'

/**
 * A component whose code is loaded when it is first drawn. `instead` is drawn until then, and where it cannot be loaded.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead?: (props: Props) => ComponentChildren,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [, setDrawn] = useState(loaded !== undefined)
    const [isFailed, setFailed] = useState(false)
    useEffect(() => {
      // It may have been loaded for another one since this one was drawn.
      if (loaded !== undefined) return setDrawn(true)
      let isLate = false
      load().then(
        (component) => {
          loaded = component
          if (!isLate) setDrawn(true)
        },
        () => isLate || setFailed(true),
      )
      return () => {
        isLate = true
      }
    }, [])
    if (loaded !== undefined) {
      const Component = loaded
      return <Component {...props} />
    }
    if (instead !== undefined) return <>{instead(props)}</>
    if (!isFailed) return <Skeleton label="Loading" />
    return (
      <FailureBox
        title="This part of the page did not load"
        failure={{ code: 'network', text: 'The server did not answer, or it was updated.', hint: 'Reload the page.' }}
      />
    )
  }
}

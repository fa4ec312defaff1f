import { useEffect, useState } from 'preact/hooks'
import type { OpenPlugin } from '../open-plugin.js'
import type { NotewrightPlugin } from '../plugin.js'

/** The open vault; undefined while it opens, an error where it cannot be. */
export function useOpened(plugin: NotewrightPlugin): OpenPlugin | Error | undefined {
  const [opened, setOpened] = useState<OpenPlugin | Error | undefined>()
  useEffect(() => {
    let isLate = false
    plugin.opened().then(
      (found) => isLate || setOpened(found),
      (error: Error) => isLate || setOpened(error),
    )
    return () => {
      isLate = true
    }
  }, [plugin])
  return opened
}

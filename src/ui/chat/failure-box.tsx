import type { ComponentChildren } from 'preact'
import type { FailureData } from '../../core/errors.js'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

export interface FailureBoxProps {
  failure: FailureData
  title?: string
  /** What can be done about it here. */
  children?: ComponentChildren
}

/** What went wrong, and what the person can do about it. */
export function FailureBox({ failure, title = 'This did not work', children }: FailureBoxProps) {
  const { Icon } = useHost()
  return (
    <div class="nw-failure">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{title}.</strong> {visibleText(failure.text).text}
        </p>
        {failure.hint && <p>{visibleText(failure.hint).text}</p>}
        {children}
      </div>
    </div>
  )
}
